// The settings of `protocol/src/party/settings.rs`, one a line. A test of `protocol` writes
// this file.
// @ts-check

/** @type {readonly import("../choices.js").Setting[]} */
export const PARTY_SETTINGS = Object.freeze([
  {"default":"knockout","forms":[],"kind":"choice","more":false,"name":"format","needs":[],"onWire":["winner_stays","knockout","round_robin","swiss"],"values":["winner_stays","knockout","round_robin","swiss"],"wire":"format"},
  {"default":"5","forms":[],"kind":"choice","more":false,"name":"rounds","needs":[{"setting":"format","values":["swiss"]}],"onWire":[3,4,5,6,7,8,9],"values":["3","4","5","6","7","8","9"],"wire":"rounds"},
  {"default":"1","forms":[],"kind":"choice","more":false,"name":"tables","needs":[{"setting":"format","values":["winner_stays"]}],"onWire":[1,2,3,4,6,8,12,20],"values":["1","2","3","4","6","8","12","20"],"wire":"tables"},
  {"default":"none","forms":[],"kind":"choice","more":false,"name":"first_to","needs":[{"setting":"format","values":["winner_stays"]}],"onWire":[null,3,5,10,20],"values":["none","3","5","10","20"],"wire":"first_to"},
  {"default":"line","forms":[],"kind":"choice","more":false,"name":"variant","needs":[],"onWire":["line","ultimate","misere","wild","wild_misere","notakto","gravity","vanish","qubic","exact","order"],"values":["line","ultimate","misere","wild","wild_misere","notakto","gravity","vanish","qubic","exact","order"],"wire":"variant"},
  {"default":"10x10x5","forms":[],"kind":"board","more":false,"name":"board","needs":[],"onWire":[{"height":10,"line":5,"width":10},{"height":3,"line":3,"width":3},{"height":5,"line":4,"width":5},{"height":6,"line":4,"width":7},{"height":9,"line":5,"width":9},{"height":13,"line":5,"width":13},{"height":15,"line":5,"width":15}],"values":["10x10x5","3x3x3","5x5x4","7x6x4","9x9x5","13x13x5","15x15x5"],"wire":"board"},
  {"default":"free","forms":[],"kind":"choice","more":false,"name":"opening","needs":[{"setting":"variant","values":["line","exact"]},{"board":"swap2"}],"onWire":["free","swap2"],"values":["free","swap2"],"wire":"opening"},
  {"default":"20s","forms":[],"kind":"time","more":false,"name":"move_time","needs":[],"onWire":[5000,10000,20000,30000,60000,300000],"values":["5s","10s","20s","30s","1m","5m"],"wire":"move_time_ms"},
  {"default":"none","forms":[],"kind":"choice","more":true,"name":"fill","needs":[],"onWire":[null,{"strategy":"minimax","strength":"very_weak"},{"strategy":"minimax","strength":"level_2"},{"strategy":"minimax","strength":"weak"},{"strategy":"minimax","strength":"level_4"},{"strategy":"minimax","strength":"average"},{"strategy":"minimax","strength":"level_6"},{"strategy":"minimax","strength":"strong"},{"strategy":"minimax","strength":"level_8"},{"strategy":"minimax","strength":"very_strong"}],"values":["none","very_weak","level_2","weak","level_4","average","level_6","strong","level_8","very_strong"],"wire":"fill"},
  {"default":"text","forms":[],"kind":"choice","more":true,"name":"chat","needs":[{"feature":"chat"}],"onWire":["text","emotes","off"],"values":["text","emotes","off"],"wire":"chat"},
]);
