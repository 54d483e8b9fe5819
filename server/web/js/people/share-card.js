// The picture of a game that people send: the board as it is on the page, with the names above and the result below
// it, in the colours of the chosen look.
// @ts-check

/** @typedef {{names: string, result: string}} About */

/** A square of the paper in pixels, and the size of the picture in squares: two lines of words with a board between. */
const SQUARE = 42;
const COLUMNS = 28;
const LINE = 3;
const BOARD = 15;

/** The letters are as large as that, or smaller where a line is long. */
const LETTERS = 64;

/**
 * @param {Element} board as it is on the page @param {About} about
 * @returns {Promise<Blob>} a PNG
 */
export function drawCard(board, { names, result }) {
  const width = COLUMNS * SQUARE;
  const height = (BOARD + 2 * LINE) * SQUARE;
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const look = getComputedStyle(document.documentElement);
  context.fillStyle = look.getPropertyValue("--bg");
  context.fillRect(0, 0, width, height);
  context.fillStyle = look.getPropertyValue("--squares");
  for (let x = SQUARE; x < width; x += SQUARE) context.fillRect(x - 1, 0, 2, height);
  for (let y = SQUARE; y < height; y += SQUARE) context.fillRect(0, y - 1, width, 2);
  drawBoard(context, board, { width, height });
  const { fontFamily } = getComputedStyle(document.querySelector("h2") ?? document.body);
  context.fillStyle = look.getPropertyValue("--ink");
  context.textAlign = "center";
  context.textBaseline = "middle";
  write(context, names, fontFamily, LINE * SQUARE * 0.62);
  write(context, result, fontFamily, height - LINE * SQUARE * 0.6);
  return new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("no picture"))), "image/png"));
}

/**
 * Draws the strokes of the board into the middle of the picture.
 *
 * @param {CanvasRenderingContext2D} context @param {Element} board @param {{width: number, height: number}} size
 */
function drawBoard(context, board, { width, height }) {
  // Without the names of rows and columns.
  const from = (board.querySelector(".grid") ?? board).getBoundingClientRect();
  const scale = Math.min((width - 2 * SQUARE) / from.width, ((BOARD - 2) * SQUARE) / from.height);
  const paper = new DOMMatrix().translate(width / 2, height / 2).scale(scale)
    .translate(-from.x - from.width / 2, -from.y - from.height / 2);
  for (const path of board.querySelectorAll("path")) {
    const { fill, stroke, strokeWidth, strokeLinecap, vectorEffect } = getComputedStyle(path);
    const matrix = paper.multiply(path.getScreenCTM() ?? undefined);
    const shape = new Path2D(path.getAttribute("d") ?? "");
    const pen = Number.parseFloat(strokeWidth);
    context.setTransform(matrix);
    context.globalAlpha = opacityOf(path, board);
    context.lineCap = /** @type {CanvasLineCap} */ (strokeLinecap);
    // Its width is in pixels of the page.
    context.lineWidth = vectorEffect === "non-scaling-stroke" ? (pen * scale) / Math.hypot(matrix.a, matrix.b) : pen;
    context.fillStyle = fill;
    context.strokeStyle = stroke;
    if (fill !== "none") context.fill(shape);
    if (stroke !== "none") context.stroke(shape);
  }
  context.resetTransform();
  context.globalAlpha = 1;
}

/** @param {Element} element @param {Element} within @returns {number} */
const opacityOf = (element, within) =>
  element === within ? 1 : Number(getComputedStyle(element).opacity) * opacityOf(/** @type {Element} */ (element.parentElement), within);

/** @param {CanvasRenderingContext2D} context @param {string} text @param {string} family @param {number} y */
function write(context, text, family, y) {
  const most = (COLUMNS - LINE) * SQUARE;
  context.font = `700 ${LETTERS}px ${family}`;
  const size = Math.floor(LETTERS * Math.min(1, most / context.measureText(text).width));
  context.font = `700 ${size}px ${family}`;
  context.fillText(text, (COLUMNS * SQUARE) / 2, y);
}
