// The end of a game: first a sentence about you, then everyone's places, three figures, and the way to play again. A guest
// can keep the name here, in the page and not in a dialog: the seat and the result stay.

import { keepName } from "/account.js";
import { button, field } from "/dialog.js";
import { face } from "/face.js";
import { keep, make, say } from "/dom.js";
import { who } from "/speech.js";
import { keep as store, kept } from "/storage.js";
import { titleOf, words } from "/words.js";

const WEEK = 7 * 24 * 3600 * 1000;

export function result(place) {
  const title = make("h2", { id: "result-title", tabindex: "-1" }), about = make("p.about", { id: "result-about" });
  const places = make("ol"), figures = make("ul.figures-row"), again = make("div.row"), offer = make("div.offer", { hidden: true });
  const section = make("section.result", { "aria-labelledby": "result-title", hidden: true },
    make("div.felted", {}, title, about, places, figures, again), offer);
  document.querySelector("#main").prepend(section);
  let shown = "";

  /** Put the focus on the way to play again, once, unless someone is writing. */
  const focus = () => {
    const at = document.activeElement, act = document.querySelector("#act");
    if (at === document.body || at === null || act?.contains(at)) again.querySelector("button")?.focus({ preventScroll: true });
    section.scrollIntoView({ block: "nearest" });
  };
  return {
    paint() {
      const { table } = place.state;
      const ended = place.view === "table" && table?.state === "over" && table.over?.scores?.length && !table.lesson;
      section.hidden = !ended;
      if (!ended) return;
      const key = `${table.number}/${table.seat}`;
      const { rank, scores } = table.over;
      say(title, sentence(table));
      say(about, words.resultOf(titleOf(table.game), rank.length));
      keep(places, rank.map((seat) => [`${key} ${seat}`, () => row(table, seat, placeOf(scores, seat))]));
      keep(figures, table.seat === null ? [] : threeOf(table).map(([value, what]) => [`${key} ${value} ${what}`,
        () => make("li", {}, make("b", {}, value), make("span", {}, what))]));
      const line = table.next?.find((one) => one.line.startsWith("/rematch "))?.line ?? `/quick ${table.game}`;
      keep(again, table.seat === null ? [] : [[line, () => button(words.playAgain, () => place.ask({ line }), "button.go",
        { "aria-describedby": "result-title result-about" })]]);
      const first = shown !== key;
      shown = key;
      if (first) {
        offer.hidden = true;
        offer.replaceChildren();
        if (mayOffer(place.state.guest, table)) register(place, offer);
        if (table.seat !== null) setTimeout(focus);
      }
    },
  };
}

/** Return the place of a seat, from 1; equal scores share one. */
function placeOf(scores, seat) {
  return 1 + scores.filter((score) => score > scores[seat]).length;
}

function sentence(table) {
  const { winners, scores } = table.over;
  if (table.seat === null) return words.theyWon(words.listed(winners.map((seat) => who(table, seat))));
  if (winners.includes(table.seat)) return winners.length > 1 ? words.youShare : words.youWon;
  return words.youCame(placeOf(scores, table.seat));
}

function row(table, seat, at) {
  const name = who(table, seat), mine = seat === table.seat;
  const bot = table.roster?.[seat]?.bot;
  return make(mine ? "li.mine" : "li", {}, make("span", {}, `${at}`), face(table.names[seat].replace(/^\*/u, "")),
    make("b", {}, name, bot ? make("small", {}, ` ${words.bot}`) : null), make("span", {}, `${table.over.scores[seat]}`));
}

/** Return three figures about you: the score, the distance to the next player, and the place. */
function threeOf(table) {
  const { rank, scores } = table.over, mine = scores[table.seat];
  const place = placeOf(scores, table.seat);
  const other = place === 1 ? rank.find((seat) => seat !== table.seat) : rank[0];
  return [[`${mine}`, words.yourScore], [`${Math.abs(mine - scores[other])}`, (place === 1 ? words.ahead : words.behind)(who(table, other))],
    [`${place} / ${scores.length}`, words.yourPlace]];
}

/** Whether to offer a guest to keep the name: after a win, in the upper half, or after the first game; not too often. */
function mayOffer(guest, table) {
  if (!guest || table.seat === null || Date.now() - Number(kept("not-now") ?? 0) < WEEK) return false;
  const first = kept("finished") === null;
  store("finished", "yes", true);
  const { winners, scores } = table.over;
  return first || winners.includes(table.seat) || placeOf(scores, table.seat) <= scores.length / 2;
}

/** Show the form with which a guest keeps the name; the name that they have is filled in. */
function register(place, box) {
  const note = make("p.note.error", { role: "alert" });
  const name = /^guest\d+$/iu.test(place.state.name) ? "" : place.state.name;
  const form = make("form.account", {}, field(words.name, { name: "name", autocomplete: "username", autocapitalize: "off", spellcheck: "false",
    required: true, maxlength: "16", value: name }),
  field(words.password, { name: "password", type: "password", required: true, autocomplete: "new-password" }), note,
  make("div.row", {}, make("button.go", { type: "submit" }, words.saveAccount), button(words.laterOn, () => {
    store("not-now", `${Date.now()}`, true);
    box.hidden = true;
    document.querySelector(".result .go")?.focus({ preventScroll: true });
  }, "button.link")));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { name: wanted, password } = Object.fromEntries(new FormData(form));
    say(note, words.oneMoment);
    const refused = await keepName(place, wanted.trim(), password);
    if (refused) say(note, refused);
    else box.replaceChildren(make("p", { role: "status" }, words.keptAs(place.state.name)));
  });
  box.replaceChildren(make("h3", {}, words.keepGame), make("p", {}, words.keepNote), form);
  box.hidden = false;
}
