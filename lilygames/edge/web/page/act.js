// Your move: buttons with number keys, your hand as cards, and a field if there are many moves.

import { draw, spoken } from "/cards.js";
import { keep, make, say, set } from "/dom.js";
import { who } from "/felt.js";
import { words } from "/words.js";

const MANY = 12;
const PLAY = /^(?:play|discard) (\S+)$/u;

export class Act {
  /** `send(line)` makes a move, and returns a promise of its error. */
  constructor(send) {
    this.send = send;
    this.sent = false;
    this.moves = [];
    this.section = make("section", { id: "act", tabindex: "-1", "aria-labelledby": "act-title", hidden: true },
      make("h2", { id: "act-title" }), make("p.why", { role: "status" }),
      make("form.typed", { hidden: true }, make("label", { for: "move" }, words.move),
        make("div.row", {}, make("input", { id: "move", autocomplete: "off", autocapitalize: "off", spellcheck: "false" }),
          make("button", { type: "submit" }, words.make))),
      make("div.moves", { role: "group", "aria-labelledby": "act-title" }),
      make("div.hand", { role: "group", "aria-label": words.hand }));
    this.section.addEventListener("keydown", (event) => this.key(event));
    this.section.addEventListener("click", (event) => this.click(event));
    this.section.querySelector("form").addEventListener("submit", (event) => {
      event.preventDefault();
      const field = this.section.querySelector("#move");
      if (field.value.trim()) this.make(field.value.trim());
      field.value = "";
    });
  }

  /** Show the moves and the hand of a table. */
  show(table) {
    const turn = table.state === "playing" && table.mine && table.count > 0;
    if (!turn || this.before !== table.seq) this.sent = false;
    this.before = table.seq;
    this.section.hidden = table.seat === null && table.state !== "over";
    this.section.classList.toggle("now", turn);
    this.moves = turn ? table.moves : [];
    say(this.section.querySelector("h2"), this.sent ? words.sent : this.title(table, turn));
    const cards = new Map(this.moves.flatMap((move) => (PLAY.test(move) ? [[PLAY.exec(move)[1], move]] : [])));
    const buttons = this.moves.filter((move) => !cards.has(PLAY.exec(move)?.[1]));
    const listed = buttons.length > MANY ? buttons.filter((move) => !move.includes(" ")) : buttons;
    this.section.querySelector("form").hidden = buttons.length <= MANY;
    keep(this.section.querySelector(".moves"), listed.map((move, number) => [
      move, () => make("button", { type: "button", "data-move": move }, make("span"), make("kbd", { "aria-hidden": "true" })),
      (button) => this.button(button, move, number, listed),
    ]));
    this.hand(table, cards, listed.length === 0);
    this.rove();
  }

  title(table, turn) {
    if (table.state === "over") return words.over;
    if (turn) return words.yourTurn;
    if (table.state === "waiting") return words.waiting;
    const others = table.turn.filter((seat) => seat !== table.seat).map((seat) => who(table, seat));
    return others.length ? words.waitingFor(words.listed(others)) : words.waiting;
  }

  button(button, move, number, all) {
    const [label, key] = button.children;
    say(label, move.slice(0, 1).toUpperCase() + move.slice(1));
    const digit = digitOf(move, number, all);
    say(key, digit);
    set(button, { "aria-disabled": this.sent ? "true" : null, "aria-keyshortcuts": digit || null });
  }

  hand(table, cards, numbered) {
    const held = table.picture?.digits.length ? [] : table.picture?.hand ?? [];
    const seen = new Map();
    let number = 0;
    const items = held.map((text) => {
      const again = (seen.get(text) ?? 0) + 1;
      seen.set(text, again);
      const move = cards.get(text);
      const digit = move && numbered ? String(++number % 10) : "";
      return [`${text}.${again}`,
        () => make("button.held", { type: "button" }, draw(text), make("span.hidden", {}, spoken(text)),
          make("kbd", { "aria-hidden": "true" })),
        (button) => {
          set(button, { "data-move": move ?? null, "aria-disabled": move && !this.sent ? null : "true",
            "aria-keyshortcuts": digit && number <= 10 ? digit : null });
          say(button.querySelector("kbd"), number <= 10 ? digit : "");
        }];
    });
    const group = this.section.querySelector(".hand");
    group.style.setProperty("--cards", Math.max(1, held.length));
    group.classList.toggle("two-rows", held.length > MANY);
    keep(group, items);
  }

  /** Let Tab reach one button: arrows move on from there. */
  rove() {
    const buttons = [...this.section.querySelectorAll("button:not(form button)")];
    const kept = buttons.find((button) => button === document.activeElement) ?? buttons.find((one) => one.dataset.move);
    for (const button of buttons) set(button, { tabindex: button === (kept ?? buttons[0]) ? 0 : -1 });
  }

  key(event) {
    if (event.target.matches("input") || event.ctrlKey || event.altKey || event.metaKey) return;
    const buttons = [...this.section.querySelectorAll("button:not(form button)")];
    const at = buttons.indexOf(document.activeElement);
    const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (to !== undefined && buttons.length) {
      event.preventDefault();
      buttons.at(to % buttons.length).focus();
      this.rove();
    } else if (/^\d$/u.test(event.key) && !event.repeat) {
      const found = buttons.find((button) => button.getAttribute("aria-keyshortcuts") === event.key);
      if (found) this.choose(found);
    }
  }

  click(event) {
    const button = event.target.closest("button");
    if (button && !button.closest("form")) this.choose(button);
  }

  choose(button) {
    if (button.getAttribute("aria-disabled")) say(this.section.querySelector(".why"), words.notNow);
    else this.make(button.dataset.move);
  }

  async make(move) {
    if (this.sent) return;
    this.sent = true;
    say(this.section.querySelector(".why"), "");
    say(this.section.querySelector("h2"), words.sent);
    for (const button of this.section.querySelectorAll("[data-move]")) set(button, { "aria-disabled": "true" });
    const error = await this.send(move);
    if (error) {
      this.sent = false;
      say(this.section.querySelector(".why"), error.text ?? "");
      for (const button of this.section.querySelectorAll("[data-move]")) set(button, { "aria-disabled": null });
    }
  }
}

/** Return the digit for a move: of a bid its number, else its place. */
function digitOf(move, number, all) {
  const numbers = all.map((one) => /^\S+ (\d)$/u.exec(one)?.[1]);
  if (numbers.every(Boolean) && new Set(numbers).size === numbers.length) return numbers[number];
  return number < 10 ? String((number + 1) % 10) : "";
}
