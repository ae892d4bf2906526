// Below the felt: the sentences that you may read, contradictions side by side, further texts, and your own notes.

import { both, keep, make, say, set, show } from "/dom.js";
import { who } from "/speech.js";
import { words } from "/words.js";

/** Return the rows below the felt. */
export function sentences(table, picture) {
  const pairs = picture.contradictions ?? [];
  const read = [...picture.listed, ...(picture.mine?.pieces ?? [])].some(({ text }) => text);
  const texts = read ? [] : picture.texts.map((text) => [`x${text}`, () => make("p", {}, ...both(text))]);
  return [
    ...picture.listed.map((one) => [`s${one.id}`, newRow, (row) => statement(row, one, table)]),
    ...(pairs.length ? [["pairs", newPairs, (part) => keep(part.lastChild, pairs.map((pair) => paired(pair, table)))]] : []),
    ...texts,
    ...further(table, picture),
  ];
}

/** Return your note on a part of the table, or "". */
export function noteOn(table, about) {
  return table.notes?.[about] ?? "";
}

// statements

function newRow() {
  return make("p.statement", {}, ...parts());
}

function parts() {
  return [make("b"), make("span.mark"), make("span.text"), make("span.whose"), make("span.own")];
}

function statement(row, one, table) {
  fill(row, one, table);
  set(row, { class: `statement ${one.played && !noteOn(table, one.id) ? "placed" : "apart"} ${markOf(one)}` });
}

function fill(row, { id, face, text, owner = null, mark }, table) {
  const [sign = "", means = ""] = words.marks[mark] ?? [];
  say(row.querySelector("b"), face);
  show(row.querySelector(".mark"), sign, means);
  say(row.querySelector(".text"), text);
  say(row.querySelector(".whose"), owner === null ? "" : who(table, owner));
  say(row.querySelector(".own"), noteOn(table, id) && words.noted(noteOn(table, id)));
}

function markOf({ mark = "" }) {
  return `mark-${mark}`;
}

// contradictions

function newPairs() {
  return make("section.pairs", {}, make("h3", {}, words.contradictions), make("ul"));
}

/** Return two sentences that contradict each other, side by side. */
function paired(pair, table) {
  return [pair.map(({ id }) => id).join("/"), newPair, (item) => {
    for (const [at, side] of [...item.querySelectorAll(".statement")].entries()) {
      fill(side, pair[at], table);
      set(side, { class: `statement ${markOf(pair[at])}` });
    }
  }];
}

function newPair() {
  return make("li", {}, make("p.statement", {}, ...parts()), make("span.hidden", {}, words.contradicts), make("p.statement", {}, ...parts()));
}

// notes

/** Return your notes on anything but sentences, which have theirs beside them. */
function further(table, picture) {
  const shown = new Set([...picture.listed, ...(picture.mine?.pieces ?? []), ...(picture.contradictions ?? []).flat()].map(({ id }) => id));
  return Object.entries(table.notes ?? {}).filter(([about]) => !shown.has(about))
    .map(([about, text]) => [`n${about}`, () => make("p.own"), (row) => say(row, words.notedOn(about, text))]);
}
