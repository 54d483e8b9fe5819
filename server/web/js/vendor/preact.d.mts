// The types of preact.mjs, for the type checker alone.
export * from "preact";
