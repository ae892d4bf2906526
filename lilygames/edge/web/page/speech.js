// What is shown in short and said in full: cards and suits in texts, and what stands at a seat.

import { RANKS, SIGNS, words } from "./words.js";

const FROM_SIGNS = Object.fromEntries(Object.entries(SIGNS).map(([letter, sign]) => [sign, letter]));
const PIECE = /(10|[2-9TJQKA])?([♠♥♦♣])/gu;

/** Return the rank and suit of a card's text: `KH`, `10♥`; null for anything else, such as a wizard. */
export function read(text) {
  const found = /^(10|[2-9TJQKA])([SHDC♠♥♦♣])$/u.exec(text);
  return found && { rank: found[1] === "10" ? "T" : found[1], suit: FROM_SIGNS[found[2]] ?? found[2] };
}

/** Return a card in words: `king of hearts`. */
export function spoken(text) {
  const card = read(text);
  if (card) return words.cardOf(card.rank, card.suit);
  return words.special[text.replace(/[^A-Z?].*/u, "")] ?? text;
}

/** Return a die in words. */
export function spokenDie(face, open) {
  const name = face === "?" ? words.hidden : RANKS[face] ?? face;
  return open ? words.openDie(name) : name;
}

/** Return the pieces of a text: `{ text }`, and `{ text, suit }` for each card and suit in it. */
export function pieces(text) {
  const found = [];
  let end = 0;
  for (const match of text.matchAll(PIECE)) {
    if (match.index > end) found.push({ text: text.slice(end, match.index) });
    found.push({ text: match[0], suit: FROM_SIGNS[match[2]], rank: match[1] ?? "" });
    end = match.index + match[0].length;
  }
  if (end < text.length) found.push({ text: text.slice(end) });
  return found;
}

/** Return a text with its cards and suits in words. */
export function inWords(text) {
  return pieces(text).map(({ text: piece, suit, rank }) => (!suit ? piece : rank ? words.cardOf(rank, suit) : words.suits[suit])).join("");
}

/** Return a text about dice with each ten as it stands on its die: `AATT` becomes `A A 10 10`. Names stay. */
export function withTens(text, names = []) {
  return text.replace(/(?<!\w)[9TJQKA?]*T[9TJQKA?]*(?!\w)/gu, (faces) => (
    names.includes(faces) ? faces : [...faces].map((face) => (face === "T" ? "10" : face)).join(" ")));
}

/** Return a value with its column in words: `21 points`, `took 1 of 2 bid`; a short one, or "" for none. */
export function valueInWords(value, column) {
  if (column.unit) return words.count(value, column.unit, column.units);
  const heads = column.head.split("/"), values = value.split("/");
  if (heads.length === 2 && values.length === 2) return words.ofWhole(heads[0], values[0], values[1], heads[1]);
  return value === "--" ? "" : value;
}

export function capital(text) {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Return a name at a table as the reader calls it. */
export function who(table, seat) {
  return seat === table.seat ? words.you : plain(table.names[seat] ?? "?");
}

function plain(name) {
  return name.replace(/^\*|\*$| \(.*\)$/gu, "");
}
