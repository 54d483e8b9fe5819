// The faces of `protocol/src/face.rs`. A test of `protocol` writes this file.
// @ts-check

/** What may be drawn. */
export const ANIMALS = Object.freeze(["badger","bear","beaver","fox","hare","heron","lynx","otter","owl","raven","seal","wren"]);

/** The colours that it may have. */
export const COLOURS = Object.freeze(["red","orange","yellow","green","teal","blue","violet","pink"]);
