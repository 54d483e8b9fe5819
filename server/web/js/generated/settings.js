// The settings of `protocol/src/settings.rs`, one a line. A test of `protocol` writes this file.
// @ts-check

/** @type {readonly import("../choices.js").Setting[]} */
export const SETTINGS = Object.freeze([
  {"default":"minimax","forms":["computer"],"kind":"choice","more":true,"name":"strategy","needs":[],"onWire":["minimax","heuristic","perfect","rules"],"values":["minimax","heuristic","perfect","rules"],"wire":null},
  {"default":"weak","forms":["computer"],"kind":"choice","more":false,"name":"strength","needs":[{"setting":"strategy","values":["minimax","heuristic"]}],"onWire":["very_weak","weak","average","strong","very_strong"],"own":{"exhibition":"average"},"values":["very_weak","weak","average","strong","very_strong"],"wire":null},
  {"default":"minimax","forms":["exhibition"],"kind":"choice","more":true,"name":"strategy_x","needs":[],"onWire":["minimax","heuristic","perfect","rules"],"values":["minimax","heuristic","perfect","rules"],"wire":null},
  {"default":"weak","forms":["exhibition"],"kind":"choice","more":false,"name":"strength_x","needs":[{"setting":"strategy_x","values":["minimax","heuristic"]}],"onWire":["very_weak","weak","average","strong","very_strong"],"own":{"exhibition":"average"},"values":["very_weak","weak","average","strong","very_strong"],"wire":null},
  {"default":"minimax","forms":["exhibition"],"kind":"choice","more":true,"name":"strategy_o","needs":[],"onWire":["minimax","heuristic","perfect","rules"],"values":["minimax","heuristic","perfect","rules"],"wire":null},
  {"default":"weak","forms":["exhibition"],"kind":"choice","more":false,"name":"strength_o","needs":[{"setting":"strategy_o","values":["minimax","heuristic"]}],"onWire":["very_weak","weak","average","strong","very_strong"],"own":{"exhibition":"average"},"values":["very_weak","weak","average","strong","very_strong"],"wire":null},
  {"default":"line","forms":["friend","quick","computer","exhibition","both"],"kind":"choice","more":false,"name":"variant","needs":[],"onWire":["line","ultimate","misere","wild","wild_misere","notakto","gravity","vanish","qubic","exact","order"],"values":["line","ultimate","misere","wild","wild_misere","notakto","gravity","vanish","qubic","exact","order"],"wire":"variant"},
  {"default":"no","forms":["friend","computer","exhibition","both"],"kind":"yes_no","more":true,"name":"majority","needs":[{"setting":"variant","values":["ultimate"]}],"onWire":[true,false],"values":["yes","no"],"wire":"majority"},
  {"default":"3x3x3","forms":["friend","quick","computer","exhibition","both"],"kind":"board","more":false,"name":"board","needs":[],"onWire":[{"height":3,"line":3,"width":3},{"height":4,"line":4,"width":4},{"height":5,"line":4,"width":5},{"height":6,"line":4,"width":6},{"height":6,"line":4,"width":7},{"height":9,"line":5,"width":9},{"height":13,"line":5,"width":13},{"height":15,"line":5,"width":15},{"height":19,"line":5,"width":19}],"values":["3x3x3","4x4x4","5x5x4","6x6x4","7x6x4","9x9x5","13x13x5","15x15x5","19x19x5"],"wire":"board"},
  {"default":"free","forms":["friend","computer","exhibition","both"],"kind":"choice","more":false,"name":"opening","needs":[{"setting":"variant","values":["line","exact"]},{"board":"swap2"}],"onWire":["free","swap2"],"values":["free","swap2"],"wire":"opening"},
  {"default":"x","forms":["friend","computer"],"kind":"choice","more":false,"name":"mark","needs":[],"onWire":["x","o","random"],"values":["x","o","random"],"wire":null},
  {"default":"alternate","forms":["friend","computer","exhibition","both"],"kind":"choice","more":true,"name":"first","needs":[],"onWire":["alternate","x","o","random","loser"],"values":["alternate","x","o","random","loser"],"wire":"first"},
  {"default":"none","forms":["friend","computer","both"],"kind":"time","more":true,"name":"move_time","needs":[],"onWire":[null,10000,30000,60000,300000,86400000],"values":["none","10s","30s","1m","5m","24h"],"wire":"move_time_ms"},
  {"default":"no","forms":["friend","computer","exhibition","both"],"kind":"yes_no","more":true,"name":"listed","needs":[{"feature":"listing"}],"onWire":[true,false],"values":["yes","no"],"wire":"listed"},
  {"default":"yes","forms":["friend","both"],"kind":"yes_no","more":true,"name":"spectators","needs":[{"feature":"spectators"}],"onWire":[true,false],"values":["yes","no"],"wire":"spectators"},
  {"default":"yes","forms":["friend","computer","both"],"kind":"yes_no","more":true,"name":"hints","needs":[],"onWire":[true,false],"values":["yes","no"],"wire":"hints"},
  {"default":"no","forms":["friend","exhibition","both"],"kind":"yes_no","more":true,"name":"evaluation","needs":[{"feature":"spectators"},{"setting":"spectators","values":["yes"]}],"onWire":[true,false],"own":{"exhibition":"yes"},"values":["yes","no"],"wire":"evaluation"},
  {"default":"no","forms":["computer"],"kind":"yes_no","more":true,"name":"adapts","needs":[{"setting":"strategy","values":["minimax","heuristic"]}],"onWire":[true,false],"values":["yes","no"],"wire":"adapts"},
  {"default":"no","forms":["computer"],"kind":"yes_no","more":true,"name":"comments","needs":[{"board":"comments"}],"onWire":[true,false],"values":["yes","no"],"wire":"comments"},
  {"default":"text","forms":["friend"],"kind":"choice","more":true,"name":"chat","needs":[{"feature":"chat"}],"onWire":["text","emotes","off"],"values":["text","emotes","off"],"wire":"chat"},
  {"default":"none","forms":["quick"],"kind":"time","more":false,"name":"computer_after","needs":[],"onWire":[null,15000,30000,60000],"values":["none","15s","30s","1m"],"wire":null},
]);

/** @typedef {"line" | "ultimate" | "misere" | "wild" | "wild_misere" | "notakto" | "gravity" | "vanish" | "qubic" | "exact" | "order"} Variant */

/** The boards of each variant that a form offers, the default first, and whether it takes any other.
 * @type {Readonly<Record<string, {boards: readonly string[], any?: true}>>} */
export const VARIANTS = Object.freeze({"exact":{"boards":["15x15x5","13x13x5","19x19x5","9x9x5"]},"gravity":{"boards":["7x6x4","4x4x4","5x5x4","6x6x4","8x7x4","9x7x5","10x10x5"]},"line":{"any":true,"boards":["3x3x3","4x4x4","5x5x4","6x6x4","7x6x4","9x9x5","13x13x5","15x15x5","19x19x5"]},"misere":{"any":true,"boards":["3x3x3","4x4x4","5x5x4"]},"notakto":{"boards":["3x3x3","6x3x3","9x3x3","12x3x3","15x3x3"]},"order":{"boards":["6x6x5"]},"qubic":{"boards":["4x16x4","3x9x3"]},"ultimate":{"boards":["9x9x3"]},"vanish":{"boards":["3x3x3","4x4x4","5x5x5"]},"wild":{"boards":["3x3x3","4x4x4","5x5x4","6x6x5"]},"wild_misere":{"boards":["3x3x3","4x4x4","5x5x4","6x6x5"]}});
