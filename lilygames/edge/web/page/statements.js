// Below the felt: the sentences that you may read, contradictions side by side, further texts, and your own notes.

import { both, keep, make, say, set, show } from "/dom.js";
import { who } from "/speech.js";
import { words } from "/words.js";

/** Return the rows below the felt. */
export function sentences(table, picture) {
  const others = picture.statements.filter((one) => one.owner !== table.seat || table.seat === null);
  const pairs = picture.contradictions ?? [];
  const texts = picture.statements.length ? [] : picture.texts.map((text) => [`x${text}`, () => make("p", {}, ...both(text))]);
  return [
    ...others.map((one) => [`s${one.number}`, newRow, (row) => statement(row, one, table)]),
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
  set(row, { class: `statement ${one.owner === null && one.player !== null && !noteOn(table, one.number) ? "placed" : "apart"} mark-${one.mark}` });
}

function fill(row, one, table) {
  const whose = one.owner ?? one.player;
  say(row.querySelector("b"), `${one.number}`);
  show(row.querySelector(".mark"), words.marks[one.mark]?.[0] ?? "", words.marks[one.mark]?.[1] ?? "");
  say(row.querySelector(".text"), one.text);
  say(row.querySelector(".whose"), whose === null ? "" : who(table, whose));
  say(row.querySelector(".own"), noteOn(table, one.number) && words.noted(noteOn(table, one.number)));
}

// contradictions

function newPairs() {
  return make("section.pairs", {}, make("h3", {}, words.contradictions), make("ul"));
}

/** Return two sentences that contradict each other, side by side. */
function paired(pair, table) {
  return [pair.map((one) => one.number).join("/"), newPair, (item) => {
    for (const [at, side] of [...item.querySelectorAll(".statement")].entries()) {
      fill(side, pair[at], table);
      set(side, { class: `statement mark-${pair[at].mark}` });
    }
  }];
}

function newPair() {
  return make("li", {}, make("p.statement", {}, ...parts()), make("span.hidden", {}, words.contradicts), make("p.statement", {}, ...parts()));
}

// notes

/** Return your notes on anything but sentences, which have theirs beside them. */
function further(table, picture) {
  const shown = new Set([...picture.statements, ...(picture.contradictions ?? []).flat()].map((one) => String(one.number)));
  return Object.entries(table.notes ?? {}).filter(([about]) => !shown.has(about))
    .map(([about, text]) => [`n${about}`, () => make("p.own"), (row) => say(row, words.notedOn(about, text))]);
}
