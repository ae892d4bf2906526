// The score sheet beside the table: a row a player, the total first, then the parts of the game.

import { make } from "/dom.js";
import { who } from "/speech.js";
import { words } from "/words.js";

export function scores(place) {
  const details = document.querySelector("#scores"), box = details.querySelector(".scroll");
  details.open = matchMedia("(min-width: 1000px) and (min-height: 700px)").matches;
  let drawn = "";
  return {
    paint() {
      const { table } = place.state, grid = table?.picture?.grid;
      details.hidden = !grid || place.view !== "table";
      if (details.hidden) return;
      const key = JSON.stringify([table.number, table.names, grid]);
      if (key === drawn) return;
      drawn = key;
      box.replaceChildren(sheet(table, grid));
    },
  };
}

function sheet(table, { heads, rows }) {
  const best = Math.max(...rows.map((row) => Number(row.total)));
  const own = rows.findIndex((row) => row.seat === table.seat);
  const order = own < 0 ? rows : [...rows.slice(own), ...rows.slice(0, own)];
  return make("table", {}, make("thead", {}, make("tr", {}, make("th", { scope: "col" }, words.player), make("th", { scope: "col" }, words.total),
    ...heads.map((head, at) => make("th", { scope: "col" }, heads[heads.length - 1 - at])))),
  make("tbody", {}, ...order.map((row) => make("tr", {}, make("th", { scope: "row" }, who(table, row.seat)),
    make(Number(row.total) === best ? "td.total.best" : "td.total", {}, row.total.replace("-", "−")), ...row.cells.map((cell, at) => cellOf(row, row.cells.length - 1 - at))))));
}

function cellOf(row, at) {
  const cell = row.cells[at];
  return make(cell.startsWith("-") ? "td.minus" : cell.startsWith("+") ? "td.plus" : "td", {}, cell.replace("-", "−"),
    row.notes[at] ? make("small", {}, row.notes[at]) : null);
}
