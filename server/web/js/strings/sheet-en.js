// The texts of the sheet of a party in English.
// @ts-check

/** @type {import("../strings.js").StringTable} */
export const en = {
  "sheet.opening": "Party {code}",
  "sheet.unknown": "There is no party {code}",
  "sheet.scan": "Scan the square with the camera of your phone, or open the address and type the code.",
  "sheet.name": "Choose a name and press “Join”.",
  "sheet.ready": "When the page calls you to a table, press “Ready” and play.",
  "sheet.print": "Print the sheet",
  "sheet.party": "To the party",
};
