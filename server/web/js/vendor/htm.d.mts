// The types of htm.mjs, for the type checker alone.
export { default } from "htm";
