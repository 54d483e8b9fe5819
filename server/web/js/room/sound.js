// The sounds of a room, made by WebAudio: a pen on paper, and small figures of tones. Without WebAudio,
// or before the player has touched the page, it is silent.
// @ts-check

/** @typedef {import("./cues.js").Cue} Cue */

/** The loudness of a tone. A pen is noise, and noise sounds louder. */
const LOUDNESS = { soft: 0.05, on: 0.16 };

/** A tone of a figure in hertz, one after the other. @type {Record<string, number[]>} */
const FIGURES = {
  came: [659, 784, 988],
  turn: [587, 880],
  win: [523, 659, 784, 1047],
  loss: [392, 330, 262],
  draw: [440, 440],
};

/** The strokes of a mark: when each begins and how long it takes, in seconds, like their drawing. */
const STROKES = /** @type {Record<string, number[][]>} */ ({ x: [[0, 0.12], [0.18, 0.12]], o: [[0, 0.29]] });

/** The time from a tone of a figure to the next one, in seconds. */
const STEP = 0.11;

/** The time from one sound to the next, in seconds. */
const GAP = 0.35;

/** @type {AudioContext | null} */
let audio = null;
/** @type {AudioBuffer | null} */
let noise = null;

/** Makes sound possible. It is called in a press of the player. */
export function wake() {
  audio ??= typeof AudioContext === "function" ? new AudioContext() : null;
  audio?.resume().catch(() => {});
}

/** @param {readonly Cue[]} cues @param {keyof typeof LOUDNESS} level */
export function play(cues, level) {
  if (!audio || audio.state !== "running") return;
  const now = audio.currentTime;
  const loudness = LOUDNESS[level];
  cues.forEach((cue, at) => {
    const from = now + at * GAP;
    for (const [begin, length] of STROKES[cue] ?? []) scratch(from + begin, length, 2 * loudness);
    FIGURES[cue]?.forEach((hertz, step) => tone(hertz, from + step * STEP, loudness));
  });
}

/** @param {number} hertz @param {number} from @param {number} loudness */
function tone(hertz, from, loudness) {
  if (!audio) return;
  const source = audio.createOscillator();
  source.type = "triangle";
  source.frequency.value = hertz;
  sound(source, from, 0.01, 0.3, loudness);
}

/** A pen on paper: noise in a narrow band. @param {number} from @param {number} length @param {number} loudness */
function scratch(from, length, loudness) {
  if (!audio) return;
  const source = audio.createBufferSource();
  const band = audio.createBiquadFilter();
  source.buffer = noise ??= whiteNoise(audio);
  band.type = "bandpass";
  band.Q.value = 0.7;
  // The pen slows down at the end of a stroke.
  band.frequency.setValueAtTime(4200, from);
  band.frequency.linearRampToValueAtTime(2400, from + length);
  sound(source, from, length / 3, length, loudness, band);
}

/**
 * @param {AudioScheduledSourceNode} source
 * @param {number} from
 * @param {number} rise how long it gets louder
 * @param {number} length
 * @param {number} loudness
 * @param {AudioNode} [filter]
 */
function sound(source, from, rise, length, loudness, filter) {
  if (!audio) return;
  const volume = audio.createGain();
  volume.gain.setValueAtTime(0.0001, from);
  volume.gain.linearRampToValueAtTime(loudness, from + rise);
  volume.gain.exponentialRampToValueAtTime(0.0001, from + length);
  (filter ? source.connect(filter) : source).connect(volume).connect(audio.destination);
  source.start(from);
  source.stop(from + length);
}

/** @param {AudioContext} context */
function whiteNoise(context) {
  const buffer = context.createBuffer(1, context.sampleRate / 2, context.sampleRate);
  buffer.getChannelData(0).forEach((_, at, samples) => {
    samples[at] = Math.random() * 2 - 1;
  });
  return buffer;
}
