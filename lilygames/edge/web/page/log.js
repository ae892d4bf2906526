// Table talk: what happened and what was said, a row each. It stays at its end while new rows come.

import { both, keep, make } from "/dom.js";
import { words } from "/words.js";

const NEAR = 40;

export function log(place) {
  const box = document.querySelector("#log");
  let atEnd = true;
  const down = () => {
    if (atEnd) box.scrollTop = box.scrollHeight;
  };
  box.addEventListener("scroll", () => {
    atEnd = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR;
  });
  new ResizeObserver(down).observe(box);
  return {
    paint() {
      const { rows, shown, tables } = place.state;
      const here = rows.filter((row) => row.table === undefined || row.table === shown);
      keep(box, here.map((row) => [row.key, () => drawn(row, tables.size > 1)]));
      down();
    },
  };
}

function drawn(row, several) {
  if (row.kind === "game") return make("div.game", {}, ...both(row.text, row.say || undefined));
  if (row.kind === "typed") return make("div.typed-line", {}, row.text);
  if (row.kind !== "said") return make(`div.${row.kind}${row.by ? ".theirs" : ""}${/\S {2,}\S/u.test(row.text) ? ".columns" : ""}`, {}, row.text);
  const from = row.how === "private" ? words.private(row.by) : row.by;
  return make("div.said", {}, make("b", {}, from), several && row.room ? make("span.soft", {}, ` (${row.room})`) : null,
    row.how === "emote" ? " " : ": ", make("span", {}, row.text));
}
