// Playing cards and dice as inline SVG. They say nothing to a screen reader: put their words beside them.

import { read } from "/speech.js";
import { words } from "/words.js";

export { read, spoken, spokenDie } from "/speech.js";

const NS = "http://www.w3.org/2000/svg";
const PATHS = {
  H: "M0 9C-9 2-10-3-8-6-6-9-2-9 0-5 2-9 6-9 8-6 10-3 9 2 0 9Z",
  D: "M0-10 7 0 0 10-7 0Z",
  S: "M0-10C7-3 10 0 8 4 6 7 3 6 1.500 4L3 10H-3L-1.500 4C-3 6-6 7-8 4-10 0-7-3 0-10Z",
  C: "M0-10A4.500 4.500 0 0 1 3.500-2.500 4.500 4.500 0 1 1 1.500 4L3 10H-3L-1.500 4A4.500 4.500 0 1 1-3.500-2.500 4.500 4.500 0 0 1 0-10Z",
};
const HEADS = {
  K: "M-20 16-25-9-12 2 0-13 12 2 25-9 20 16ZM-20 20H20V25H-20ZM-2.500-26H2.500V-22H6.500V-17H2.500V-13H-2.500V-17H-6.500V-22H-2.500Z",
  Q: "M-22 17C-22 4-11-6 0-6S22 4 22 17ZM-22 20H22V24H-22ZM-24-1A4 4 0 1 1-16-1 4 4 0 1 1-24-1ZM-15-9A4 4 0 1 1-7-9 4 4 0 1 1-15-9Z"
    + "M-5-15A5 5 0 1 1 5-15 5 5 0 1 1-5-15ZM7-9A4 4 0 1 1 15-9 4 4 0 1 1 7-9ZM16-1A4 4 0 1 1 24-1 4 4 0 1 1 16-1Z",
  J: "M-23 15C-22 1-12-5 2-4 14-3 21 5 22 15ZM-26 19H25V25H-26ZM6-3C5-17 13-25 27-26 27-15 21-6 11-2Z",
};
const STAR = "M0-24 6-8 23-8 9 2 15 19 0 9-15 19-9 2-23-8-6-8Z";
const LEFT = 53, MIDDLE = 70, RIGHT = 87;
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

function shape(name, attributes, text) {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text) element.textContent = text;
  return element;
}

function sign(suit, x, y, size, turned) {
  return shape("path", { d: PATHS[suit], transform: `translate(${x} ${y}) scale(${(turned ? -1 : 1) * size / 20})` });
}

function sheet(box, name) {
  return shape("svg", { viewBox: box, "aria-hidden": "true", class: name });
}

/** Return a drawn card; a `small` one has only its rank above its suit. */
export function draw(text, small = false) {
  const card = read(text);
  if (card && small) return mini(card);
  const svg = sheet("0 0 140 196", "card");
  svg.append(shape("rect", { x: 1, y: 1, width: 138, height: 194, rx: 11, class: "paper" }));
  if (!card) return special(svg, text);
  svg.classList.add(`suit-${card.suit}`);
  for (const turned of [false, true]) {
    const corner = shape("g", turned ? { transform: "rotate(180 70 98)" } : {});
    const narrow = card.rank === "T" ? { textLength: 29, lengthAdjust: "spacingAndGlyphs" } : {};
    corner.append(shape("text", { x: 20, y: 33, "text-anchor": "middle", class: "index", ...narrow }, nameOf(card.rank)));
    corner.append(sign(card.suit, 20, 51, 20));
    svg.append(corner);
  }
  if (PIPS[card.rank]) {
    const size = card.rank === "A" ? 68 : 22;
    svg.append(...PIPS[card.rank].map(([x, y]) => sign(card.suit, x, y, size, y > 98)));
    return svg;
  }
  svg.append(shape("rect", { x: 38, y: 30, width: 64, height: 136, rx: 5, class: "court" }));
  svg.append(shape("path", { d: "M38 98H102", class: "court" }));
  svg.append(shape("path", { d: HEADS[card.rank], transform: "translate(70 57)" }));
  svg.append(shape("path", { d: HEADS[card.rank], transform: "translate(70 139) rotate(180)" }));
  svg.append(sign(card.suit, 70, 98, 24));
  return svg;
}

function nameOf(rank) {
  return rank === "T" ? "10" : rank;
}

function mini({ rank, suit }) {
  const svg = sheet("0 0 100 140", `card small suit-${suit}`);
  svg.append(shape("rect", { x: 1, y: 1, width: 98, height: 138, rx: 12, class: "paper" }));
  svg.append(shape("text", { x: 50, y: 62, "text-anchor": "middle", class: "index" }, nameOf(rank)));
  svg.append(sign(suit, 50, 100, 50));
  return svg;
}

/** Draw a hidden card, or a wizard or jester with its word on the edge. */
function special(svg, text) {
  if (text.startsWith("?")) {
    svg.classList.add("back");
    svg.append(shape("rect", { x: 13, y: 13, width: 114, height: 170, rx: 6, class: "court" }));
    return svg;
  }
  const word = words.special[text];
  svg.classList.add("special");
  svg.append(shape("text", { x: 70, y: word ? 98 : 116, "text-anchor": "middle", class: "whole" }, text));
  if (!word) return svg;
  svg.append(shape("path", { d: STAR, transform: "translate(70 142) scale(.8)" }));
  for (const turned of [false, true]) {
    const corner = shape("g", turned ? { transform: "rotate(180 70 98)" } : {});
    corner.append(shape("text", { x: 19, y: 34, "text-anchor": "middle", class: "index" }, text));
    corner.append(shape("text", { transform: "translate(25 46) rotate(90)", class: "edge" }, word));
    svg.append(corner);
  }
  return svg;
}

/** Return a die: its letter or number, or a question mark on leather. The ace stands in a spade. */
export function die(face, open = false) {
  const svg = sheet("-25 -25 50 50", `die face-${face === "?" ? "hidden" : face}${open ? " open" : ""}`);
  svg.append(shape("rect", { x: -24, y: -24, width: 48, height: 48, rx: 11, class: "side" }));
  if (face === "A") svg.append(shape("path", { d: PATHS.S, transform: "translate(0 -1) scale(1.95)", class: "spade" }));
  svg.append(shape("text", { y: face === "A" ? 8 : 9, "text-anchor": "middle", class: face === "A" ? "letter small" : "letter" }, nameOf(face)));
  return svg;
}
