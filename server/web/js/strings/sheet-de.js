// The texts of the sheet of a party in German.
// @ts-check

/** @type {import("../strings.js").StringTable} */
export const de = {
  "sheet.opening": "Party {code}",
  "sheet.unknown": "Es gibt keine Party {code}",
  "sheet.scan": "Richte die Kamera deines Handys auf das Quadrat, oder öffne die Adresse und tippe den Code ein.",
  "sheet.name": "Wähle einen Namen und drücke „Mitmachen“.",
  "sheet.ready": "Wenn dich die Seite an einen Tisch ruft, drücke „Bereit“ und spiele.",
  "sheet.print": "Blatt drucken",
  "sheet.party": "Zur Party",
};
