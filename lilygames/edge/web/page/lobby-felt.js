// A small picture of a table with people to watch: its seats around the felt, and what lies in its middle.

import { make } from "/dom.js";
import { titleOf, words } from "/words.js";

const NS = "http://www.w3.org/2000/svg";
const LONGEST = 9;

function shape(name, attributes, ...children) {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** Return a key, and what makes and updates the row of a table. */
export function felt(one) {
  const { number, game, seats } = one, title = titleOf(game);
  const people = seats.filter(([, bot]) => !bot).map(([name]) => name);
  return [number, () => make("li", {}, make("button", { type: "button", "data-line": `/watch ${number}`,
    "aria-label": words.watchThese(title, words.listed(people)) }, "", make("span", {}, make("b", {}, title), make("span.soft")))),
  (row) => {
    const key = JSON.stringify(one);
    if (row.shown === key) return;
    row.shown = key;
    row.querySelector("svg")?.remove();
    row.querySelector("button").prepend(drawn(one));
    row.querySelector(".soft").textContent = [one.part, one.watching ? words.watchingNow(one.watching) : ""].filter(Boolean).join(", ");
  }];
}

function drawn({ seats, middle, turn }) {
  return shape("svg", { viewBox: "0 0 260 140", "aria-hidden": "true", class: "mini" },
    shape("ellipse", { cx: 130, cy: 70, rx: 122, ry: 64, class: "rim" }), shape("text", { x: 130, y: 76, class: "middle" }, middle),
    ...seats.map(([name, bot], seat) => plate(seat, seats.length, name, bot, seat === turn)));
}

function plate(seat, seats, name, bot, turn) {
  const angle = Math.PI / 2 + (2 * Math.PI * seat) / seats;
  const x = Math.round(130 + 98 * Math.cos(angle)), y = Math.round(70 + 55 * Math.sin(angle));
  const text = name.length <= LONGEST ? name : `${name.slice(0, LONGEST - 1)}…`, wide = 7 * text.length + 14;
  return shape("g", { class: ["who", bot && "bot", turn && "now"].filter(Boolean).join(" ") },
    shape("rect", { x: x - wide / 2, y: y - 10, width: wide, height: 20, rx: 10 }), shape("text", { x, y: y + 4 }, text));
}
