// Small plots as inline SVG. Each is a figure whose numbers are also in a table, for those who want them in words.

import { make } from "/dom.js";
import { words } from "/words.js";

const NS = "http://www.w3.org/2000/svg";
const WIDTH = 320, HEIGHT = 120, LEFT = 36, RIGHT = 10, TOP = 10, BOTTOM = 22;

function shape(name, attributes, text) {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

/** Return a figure with a line through values: rows are [label, value]. */
export function line(title, rows) {
  const values = rows.map(([, value]) => value);
  const [low, high] = span(Math.min(...values), Math.max(...values));
  const points = values.map((value, number) => [across(number, values.length), up(value, low, high)]);
  const path = shape("polyline", { points: points.map((point) => point.join()).join(" "), class: "line" });
  const dots = points.map(([x, y]) => shape("circle", { cx: x, cy: y, r: 3, class: "dot" }));
  return figure(title, rows, [...frame(low, high, rows), path, ...dots]);
}

/** Return a figure with a bar for each value: rows are [label, value, more]. */
export function bars(title, rows, most) {
  const values = rows.map(([, value]) => value);
  const [low, high] = most ? [0, most] : span(Math.min(0, ...values), Math.max(0, ...values));
  const wide = Math.min(26, (WIDTH - LEFT - RIGHT) / values.length * 0.7);
  const drawn = values.map((value, number) => {
    const [y, zero] = [up(value, low, high), up(0, low, high)];
    return shape("rect", { x: across(number, values.length, wide) - wide / 2, y: Math.min(y, zero), width: wide,
      height: Math.max(1, Math.abs(y - zero)), rx: 2, class: value < 0 ? "bar under" : "bar" });
  });
  return figure(title, rows, [...frame(low, high, rows), ...drawn]);
}

function span(low, high) {
  const margin = (high - low || 1) * 0.08;
  return [low === 0 ? 0 : low - margin, high === 0 ? 0 : high + margin];
}

function across(number, count, wide = 8) {
  const from = LEFT + wide / 2 + 2, to = WIDTH - RIGHT - wide / 2;
  return count < 2 ? (from + to) / 2 : from + (to - from) * number / (count - 1);
}

function up(value, low, high) {
  return TOP + (HEIGHT - TOP - BOTTOM) * (1 - (value - low) / (high - low));
}

/** Return the axis with its numbers, and the first and the last label. */
function frame(low, high, rows) {
  const bottom = HEIGHT - BOTTOM;
  const zero = low < 0 && high > 0 ? [shape("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: up(0, low, high), y2: up(0, low, high), class: "zero" })] : [];
  return [
    shape("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: bottom, y2: bottom, class: "axis" }), ...zero,
    shape("text", { x: LEFT - 5, y: TOP + 8, "text-anchor": "end" }, words.round(high)),
    shape("text", { x: LEFT - 5, y: bottom, "text-anchor": "end" }, words.round(low)),
    shape("text", { x: LEFT, y: HEIGHT - 6 }, rows[0][0]),
    shape("text", { x: WIDTH - RIGHT, y: HEIGHT - 6, "text-anchor": "end" }, rows.length > 1 ? rows.at(-1)[0] : ""),
  ];
}

function figure(title, rows, shapes) {
  const svg = shape("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "plot", "aria-hidden": "true" });
  svg.append(...shapes);
  const body = rows.map(([label, value, more]) => make("tr", {}, make("th", { scope: "row" }, `${label}`),
    make("td", {}, more ?? words.round(value))));
  return make("figure", {}, make("figcaption", {}, title), svg,
    make("details", {}, make("summary", {}, words.asTable), make("table", {}, make("tbody", {}, ...body))));
}
