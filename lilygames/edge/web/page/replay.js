// A finished game, step by step: a slider, keys, and the same felt as at the table. Nothing is announced on its own.

import { draw, read, spoken } from "/cards.js";
import { button } from "/dialog.js";
import { keep, make, say, set } from "/dom.js";
import { felt, show as showFelt } from "/felt.js";
import { who } from "/speech.js";
import { titleOf, words } from "/words.js";

const STEPS = { ArrowLeft: -1, ArrowRight: 1, PageUp: "-part", PageDown: "+part", Home: "first", End: "last" };
const PLAY = 1200;

export function view(place) {
  const table = felt("replay-round");
  const title = make("h2", { id: "replay-title", tabindex: "-1" });
  const slider = make("input", { type: "range", min: "1", value: "1", id: "replay-step", "aria-label": words.step });
  const where = make("output", { for: "replay-step" }), text = make("div.events", { role: "status" }), hands = make("ul.hands");
  const jump = (label, step) => button(label, () => go(step));
  const play = button(words.playOn, () => (timer ? stop() : start()), "button.go");
  const section = make("section.replay", { "aria-labelledby": "replay-title" },
    make("div.row.top", {}, title, button(words.back, () => {
      stop();
      place.close();
    })), table, text, hands,
    make("div.steps", { role: "group", "aria-label": words.steps }, make("div.row", {}, slider, where), make("div.row", {},
      jump(words.first, "first"), jump(words.previousPart, "-part"), jump(words.previous, -1), play, jump(words.next, 1),
      jump(words.nextPart, "+part"), jump(words.last, "last"))), make("p.note", {}, words.replayKeys));
  let game = null, step = 1, timer = null;
  slider.addEventListener("input", () => go(Number(slider.value) - step));
  section.addEventListener("keydown", (event) => {
    if (event.target.matches("input[type=text]") || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target === slider && /^(Arrow|Home|End)/u.test(event.key)) return;
    if (!(event.key in STEPS)) return;
    event.preventDefault();
    go(STEPS[event.key]);
  });

  /** Go so many steps on, or to the next or previous part, the first or the last step. */
  async function go(how) {
    if (!game) return;
    const starts = game.parts.map((part) => part.step);
    const to = typeof how === "number" ? step + how : {
      first: 1, last: game.count, "+part": starts.find((one) => one > step) ?? game.count,
      "-part": starts.findLast((one) => one < step) ?? 1 }[how];
    step = Math.max(1, Math.min(game.count, to));
    if (step === game.count) stop();
    await load(step);
    paint();
    place.draw();
  }

  function start() {
    timer = setInterval(() => go(1), PLAY);
    say(play, words.pause);
  }

  function stop() {
    clearInterval(timer);
    timer = null;
    say(play, words.playOn);
  }

  /** Get the page of steps that this one is in, unless it's here already. */
  async function load(wanted) {
    const known = game;
    if (known.steps.has(wanted) || known.asked.has(wanted)) return;
    known.asked.add(wanted);
    const { error, packets } = await place.look({ get: "replay", table: known.number, ...(wanted > 1 ? { from: wanted } : {}) });
    known.asked.delete(wanted);
    const found = packets.find((packet) => packet.replay)?.replay;
    if (!found) {
      known.error = error?.text ?? words.tryAgain;
      return;
    }
    for (const one of found.steps) known.steps.set(one.step, one);
    Object.assign(known, { game: found.game, names: found.names, seat: found.seat, count: found.count, ending: found.ending,
      parts: found.parts ?? known.parts });
  }

  function paint() {
    if (!game || place.view !== "replay") return;
    say(title, game.game ? words.replayOf(titleOf(game.game), game.number) : words.replay);
    set(section, { "aria-busy": game.error || game.steps.has(step) ? null : "true" });
    const now = game.steps.get(step);
    table.hidden = !now?.picture;
    if (game.error) return keep(text, [["error", () => make("p.error", {}, game.error)]]);
    if (!now) return undefined;
    const part = words.partOf(game.parts.findLast((one) => one.step <= step)?.names ?? []);
    set(slider, { max: game.count, "aria-valuetext": words.stepOf(step, game.count, part) });
    slider.value = step;
    say(where, words.stepOf(step, game.count, part));
    const known = { ...game, picture: now.picture, state: "playing", mine: false };
    if (now.picture) showFelt(table, known);
    const ending = step === game.count ? [game.ending.join("\n")] : [];
    keep(text, [...now.text.map((row, number) => [`${number}${row}`, () => make("p", {}, row)]),
      ...ending.map((sheet) => ["ending", () => make("pre", { tabindex: "0" }, sheet)])]);
    keep(hands, now.hands.map((hand) => [`${hand.seat} ${hand.cards.join()}`, () => held(known, hand)]));
    return undefined;
  }

  return {
    section,
    paint,
    go: (to) => go(to - step),
    /** The address of the step that is shown. */
    get address() {
      return game && `/g/${game.number}${step > 1 ? `#${step}` : ""}`;
    },
    /** Show a game, or a step of it: `[number, step]`. */
    async show(about) {
      const [number, first = 1] = [about].flat();
      stop();
      step = first;
      game = { number, steps: new Map(), asked: new Set(), parts: [], names: [], ending: [], count: 1, seat: null };
      if (!place.state.loggedIn) await place.enter("/where");
      await load(1);
      step = Math.min(step, game.count);
      await load(step);
      place.draw();
      title.focus();
    },
  };
}

/** Return the row of a seat's hand. */
function held(game, { seat, cards }) {
  const drawn = cards.map((text) => (read(text) ? make("span.small", {}, draw(text), make("span.hidden", {}, `${spoken(text)} `))
    : make("span.slip", {}, text)));
  return make("li", {}, make("b", {}, who(game, seat)), ...drawn);
}
