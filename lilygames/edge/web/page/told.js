// What you have to know in your turn, above your choices: the coach of a lesson, a hint or its price, and the facts.

import { button } from "/dialog.js";
import { keep, make, show } from "/dom.js";
import { capital } from "/speech.js";
import { words } from "/words.js";

export class Told {
  constructor(place) {
    this.place = place;
    this.element = make("div.told");
  }

  /** Show what a turn says; `others` are words about further moves, if no button has them. */
  show(table, others) {
    const { ask, hint } = table;
    const coach = (ask?.coach ?? []).map((one) => [`c${one.text}`, () => make("p.coach"), (row) => show(row, one.text, one.say)]);
    const now = ask && hint?.seq === table.seq ? [["hint", () => make("div.coach.hint", {}, make("p"), make("div.row")), (box) => this.hint(box, table)]] : [];
    const barred = (ask ? table.picture?.barred ?? [] : []).filter((one) => !table.moves.some(({ move }) => move === one.move))
      .map(({ move, why }) => ({ text: words.barred(move, why) }));
    const known = [...(ask?.facts ?? []), ...barred, ...(others ? [{ text: `${others}.` }] : [])];
    const facts = known.length ? [["facts", () => make("p.known"), (row) => show(row, joined(known, "text"), joined(known, "say"))]] : [];
    keep(this.element, [...coach, ...now, ...facts]);
  }

  /** Show a hint; before you have agreed to it, its price and two buttons. */
  hint(box, { number, hint }) {
    show(box.firstChild, hint.price ?? words.hinted(hint.text));
    const line = `/at ${number} hint yes`;
    keep(box.lastChild, hint.price ? [
      ["yes", () => button(words.showHint, () => this.place.ask({ line }), "button.go")],
      ["no", () => button(words.noHint, () => this.place.forgetHint(number))],
    ] : []);
  }
}

function joined(facts, how) {
  return facts.map((one) => capital(one[how] ?? one.text)).join(" ");
}
