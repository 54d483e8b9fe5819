// The texts of the puzzle of the day in German.
// @ts-check

/** @param {number} count @param {string} one @param {string} many */
const plural = (count, one, many) => `${count === 1 ? "ein" : count} ${count === 1 ? one : many}`;

const NUMBERS = ["", "einem", "zwei", "drei", "vier", "fünf"];

/** @type {import("../strings.js").StringTable} */
export const de = {
  "puzzle.title": "Rätsel des Tages",
  "puzzle.loading": "Einen Moment …",
  "puzzle.none": "Für diesen Tag gibt es kein Rätsel: Er kommt erst noch, oder er liegt vor dem ersten Rätsel.",
  "puzzle.failed": "Das Rätsel ist nicht angekommen. Versuche es noch einmal, wenn du verbunden bist.",
  "puzzle.again": "Noch einmal versuchen",
  "puzzle.task": ({ moves }) => `X gewinnt in ${NUMBERS[moves] ?? moves}`,
  "puzzle.of": "{date} · Nr. {number}",
  "puzzle.rule": ({ line }) => `Du bist X: ${NUMBERS[line] ?? line} in einer Reihe gewinnen, und nur ein Zug schafft es rechtzeitig. Ein falscher Versuch kostet einen Stern.`,
  "puzzle.refused": "Dein Browser speichert hier nichts: Sterne und Serie sind weg, wenn du diesen Tab schließt.",
  "puzzle.begin": "Finde den ersten Zug.",
  "puzzle.right": "Richtig!",
  "puzzle.wrong": ({ cell, left }) => `Nicht ${cell}: Das gewinnt nicht in ${NUMBERS[left] ?? left} ${left === 1 ? "Zug" : "Zügen"}.`,
  "puzzle.reply": ({ cell, left }) => `O spielt ${cell}. ${left === 1 ? "Und jetzt gewinnen!" : `Noch ${plural(left, "Zug", "Züge")}.`}`,
  "puzzle.solved": "Gelöst!",
  "puzzle.solved.today": "Gelöst",
  "puzzle.shown": "So gewinnt X: {moves}.",
  "puzzle.show": "Lösung zeigen",
  "puzzle.stars": ({ count }) => (count === 0 ? "kein Stern" : plural(count, "Stern", "Sterne")),
  "puzzle.streak": ({ days }) => (days === 1 ? "Heute gelöst: Eine Serie beginnt." : `${days} Tage in Folge`),
  "puzzle.share": "Teilen",
  "puzzle.share.title": ({ date, moves }) => `Noughts, ${date}: X gewinnt in ${moves}`,
  "puzzle.copied": "Kopiert. Der Text verrät keinen Zug.",
  "puzzle.hand": "Kopiere den Text von Hand.",
  "puzzle.today": "Das Rätsel von heute",
  "puzzle.next": "Das nächste kommt in",
  "puzzle.archive": "Frühere Rätsel",
  "puzzle.earlier": "Vorheriger Monat",
  "puzzle.later": "Nächster Monat",
};
