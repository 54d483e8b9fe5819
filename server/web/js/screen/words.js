// The length of words: a name on a podium or a verdict is so large that its longest word has a line.
// @ts-check

/** The letters of the longest word of some texts; a hyphen ends one. @param {readonly string[]} texts */
export const longestWord = (texts) =>
  Math.max(1, ...texts.flatMap((text) => text.match(/[^ -]+-?/gu) ?? []).map(({ length }) => length));
