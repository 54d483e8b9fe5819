// The picture of a game that people send: the server's drawing of its board, with the names above and the result
// below it, in the page's own hand.
// @ts-check

/** @typedef {{names: string, result: string}} About */

/** The server's drawing in pixels: its width, and a square of its paper, which is its margin too. */
const WIDTH = 1200;
const SQUARE = 42;

/** The height of a line of words, in whole squares. */
const LINE = 3 * SQUARE;

/** The letters are as large as that, or smaller where a line is long. */
const LETTERS = 64;

/**
 * @param {string} address of the server's drawing @param {About} about
 * @returns {Promise<Blob>} a PNG
 */
export async function drawCard(address, { names, result }) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`no picture: ${answer.status}`);
  const board = await createImageBitmap(await answer.blob());
  const canvas = Object.assign(document.createElement("canvas"), { width: WIDTH, height: board.height + 2 * LINE });
  const context = canvas.getContext("2d");
  if (!context) throw new Error("no canvas");
  // The paper goes on above and below.
  for (let y = 0; y < canvas.height; y += SQUARE) context.drawImage(board, 0, 0, WIDTH, SQUARE, 0, y, WIDTH, SQUARE);
  context.drawImage(board, 0, LINE);
  const { fontFamily } = getComputedStyle(document.querySelector("h2") ?? document.body);
  context.fillStyle = "#222";
  context.textAlign = "center";
  context.textBaseline = "middle";
  write(context, names, fontFamily, LINE * 0.62);
  write(context, result, fontFamily, board.height + LINE * 1.4);
  return new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("no picture"))), "image/png"));
}

/** @param {CanvasRenderingContext2D} context @param {string} text @param {string} family @param {number} y */
function write(context, text, family, y) {
  context.font = `700 ${LETTERS}px ${family}`;
  const wide = context.measureText(text).width;
  const size = Math.floor(LETTERS * Math.min(1, (WIDTH - LINE) / wide));
  context.font = `700 ${size}px ${family}`;
  context.fillText(text, WIDTH / 2, y);
}
