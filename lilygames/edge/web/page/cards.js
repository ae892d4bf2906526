// Playing cards as inline SVG, and cards as words.

import { RANKS, SIGNS, words } from "/words.js";

const NS = "http://www.w3.org/2000/svg";
const PATHS = {
  H: "M0 9C-9 2-10-3-8-6-6-9-2-9 0-5 2-9 6-9 8-6 10-3 9 2 0 9Z",
  D: "M0-10 7 0 0 10-7 0Z",
  S: "M0-10C7-3 10 0 8 4 6 7 3 6 1.500 4L3 10H-3L-1.500 4C-3 6-6 7-8 4-10 0-7-3 0-10Z",
  C: "M0-10A4.500 4.500 0 0 1 3.500-2.500 4.500 4.500 0 1 1 1.500 4L3 10H-3L-1.500 4A4.500 4.500 0 1 1-3.500-2.500 4.500 4.500 0 0 1 0-10Z",
};
const CROWN = "M-22 14-26-14-12-2 0-20 12-2 26-14 22 14Z";
const LEFT = 51, MIDDLE = 70, RIGHT = 89;
const PIPS = {
  A: [[MIDDLE, 98]],
  2: [[MIDDLE, 50], [MIDDLE, 146]],
  3: [[MIDDLE, 50], [MIDDLE, 98], [MIDDLE, 146]],
  4: [[LEFT, 50], [RIGHT, 50], [LEFT, 146], [RIGHT, 146]],
  5: [[LEFT, 50], [RIGHT, 50], [MIDDLE, 98], [LEFT, 146], [RIGHT, 146]],
  6: [[LEFT, 50], [RIGHT, 50], [LEFT, 98], [RIGHT, 98], [LEFT, 146], [RIGHT, 146]],
  7: [[LEFT, 50], [RIGHT, 50], [MIDDLE, 74], [LEFT, 98], [RIGHT, 98], [LEFT, 146], [RIGHT, 146]],
  8: [[LEFT, 50], [RIGHT, 50], [MIDDLE, 74], [LEFT, 98], [RIGHT, 98], [MIDDLE, 122], [LEFT, 146], [RIGHT, 146]],
  9: [[LEFT, 46], [RIGHT, 46], [LEFT, 80], [RIGHT, 80], [MIDDLE, 98], [LEFT, 116], [RIGHT, 116], [LEFT, 150],
    [RIGHT, 150]],
  T: [[LEFT, 46], [RIGHT, 46], [MIDDLE, 63], [LEFT, 80], [RIGHT, 80], [LEFT, 116], [RIGHT, 116], [MIDDLE, 133],
    [LEFT, 150], [RIGHT, 150]],
};
const FROM_SIGNS = Object.fromEntries(Object.entries(SIGNS).map(([letter, sign]) => [sign, letter]));

/** Return the rank and suit of a card's text: `KH`, `10♥`; null for anything else, such as a wizard. */
export function read(text) {
  const found = /^(10|[2-9TJQKA])([SHDC♠♥♦♣])$/.exec(text);
  return found && { rank: found[1] === "10" ? "T" : found[1], suit: FROM_SIGNS[found[2]] ?? found[2] };
}

/** Return a card in words: `king of hearts`. */
export function spoken(text) {
  const card = read(text);
  if (card) return words.cardOf(card.rank, card.suit);
  return { W: "wizard", J: "jester", "?": "hidden card" }[text.replace(/[^A-Z?].*/u, "")] ?? text;
}

function shape(name, attributes, text) {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text) element.textContent = text;
  return element;
}

function sign(suit, x, y, size, turned) {
  return shape("path", { d: PATHS[suit], transform: `translate(${x} ${y}) scale(${(turned ? -1 : 1) * size / 20})` });
}

/** Return a drawn card. It says nothing to a screen reader: put its words beside it. */
export function draw(text) {
  const svg = shape("svg", { viewBox: "0 0 140 196", "aria-hidden": "true", class: "card" });
  svg.append(shape("rect", { x: 1, y: 1, width: 138, height: 194, rx: 10, class: "paper" }));
  const card = read(text);
  if (!card) {
    svg.classList.add(text === "?" ? "back" : "special");
    svg.append(shape("text", { x: 70, y: 116, "text-anchor": "middle", class: "whole" }, text));
    return svg;
  }
  svg.classList.add(`suit-${card.suit}`);
  const index = card.rank === "T" ? "10" : card.rank;
  for (const turned of [false, true]) {
    const corner = shape("g", turned ? { transform: "rotate(180 70 98)" } : {});
    corner.append(shape("text", { x: 19, y: 32, "text-anchor": "middle", class: "index" }, index));
    corner.append(sign(card.suit, 19, 50, 20));
    svg.append(corner);
  }
  if (PIPS[card.rank]) {
    const size = card.rank === "A" ? 68 : 25;
    svg.append(...PIPS[card.rank].map(([x, y]) => sign(card.suit, x, y, size, y > 98)));
  } else {
    svg.append(shape("rect", { x: 38, y: 30, width: 64, height: 136, rx: 4, class: "court" }));
    svg.append(shape("path", { d: CROWN, transform: "translate(70 62)" }));
    svg.append(shape("path", { d: CROWN, transform: "translate(70 134) scale(1 -1)" }));
    svg.append(sign(card.suit, 70, 98, 25));
  }
  return svg;
}

/** Return a die: its letter, or a question mark on leather. */
export function die(face, open) {
  const box = document.createElement("span");
  box.className = `die face-${face === "?" ? "hidden" : face}${open ? " open" : ""}`;
  box.setAttribute("aria-hidden", "true");
  box.textContent = face === "T" ? "10" : face;
  return box;
}

/** Return a die in words. */
export function spokenDie(face, open) {
  const name = face === "?" ? "hidden" : RANKS[face] ?? face;
  return open ? `${name}, open` : name;
}
