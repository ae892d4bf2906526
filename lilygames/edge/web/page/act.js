// Your move: buttons with number keys, your hand, and fields if there are many moves.

import { die, draw } from "/cards.js";
import { Graph, keysOf, marked, sharedVerb, widgetOf } from "/choices.js";
import { button } from "/dialog.js";
import { hide, keep, make, say, set, show as shown } from "/dom.js";
import { load } from "/load.js";
import { Offer } from "/offer.js";
import { capital, spoken, spokenDie, who } from "/speech.js";
import { isYourTurn } from "/state.js";
import { noteOn } from "/sentences.js";
import { Told } from "/told.js";
import { words } from "/words.js";

const ONE_ROW = 12;

export class Act {
  constructor(place) {
    this.place = place;
    this.title = make("h2", { id: "act-title" });
    this.clock = make("span.clock", { "aria-hidden": "true" });
    this.more = button(words.moreTime, () => this.command(`/at ${this.table.number} moretime`), "button.more");
    this.told = new Told(place);
    this.why = make("p.why", { role: "status" });
    this.moves = make("div.moves", { role: "group", "aria-labelledby": "act-title" });
    this.fields = make("div.fields", { hidden: true });
    this.worth = make("p.worth");
    this.hand = make("div.hand", { role: "group", "aria-label": words.hand });
    this.section = make("section", { id: "act", tabindex: "-1", "aria-labelledby": "act-title", hidden: true },
      make("div.head", {}, this.title, this.more, this.clock), this.told.element, this.why, this.moves, this.worth, this.hand, this.fields);
    this.offer = new Offer(this.section);
    this.section.addEventListener("keydown", (event) => this.key(event));
    this.section.addEventListener("click", (event) => this.click(event));
    this.begin(null, "");
  }

  /** Begin a turn, or wait for one: forget what was chosen before. */
  begin(table, key) {
    this.key_ = key;
    this.sent = "";
    this.marks = new Set();
    this.wish = {};
    this.doubted = "";
    this.asked = false;
    this.wide = false;
    this.timed = null;
    this.until = 0;
    say(this.why, "");
  }

  /** Show the moves and the hand of a table. */
  show(table) {
    const key = `${table.number}/${table.seq}/${table.state}`;
    if (this.key_ !== key) this.begin(table, key);
    this.table = table;
    this.offer.show(table);
    if (table.clock && table.clock !== this.timed) {
      this.timed = table.clock;
      this.until = table.clock.left ? performance.now() + 1000 * table.clock.left : 0;
    }
    const turn = isYourTurn(table), { picture } = table;
    hide(this.more, !(turn && table.clock?.left && table.clock.more));
    hide(this.section, table.seat === null);
    this.section.classList.toggle("now", turn);
    this.off = this.sent || (this.place.state.connected ? "" : words.notConnected);
    this.graph = turn && table.choices ? new Graph(table.choices) : null;
    this.pieces = picture?.mine?.pieces ?? [];
    this.ids = this.pieces.map(({ id }) => id).filter(Boolean);
    const groups = turn ? table.groups : [];
    if (groups.length && !table.choices && !this.asked) {
      this.asked = true;
      this.place.ask({ get: "choices", table: table.number });
    }
    this.widgets = new Map(this.graph ? groups.map((group) => [group.verb, widgetOf(this.graph, group.verb, this.ids)]) : []);
    this.marking = [...this.widgets].find(([, widget]) => widget === "marks")?.[0] ?? "";
    const things = new Set([...this.ids, ...(picture?.listed ?? []).map(({ id }) => id)]);
    this.on = new Map((turn ? table.moves : []).filter((one) => things.has(one.on)).map((one) => [one.on, one]));
    say(this.title, this.sent || this.heading(table, turn));
    this.told.show(table, turn && !this.composed(table) && !this.marking ? table.ask?.others : "");
    this.buttons(table, turn);
    this.showFields(table);
    this.showHand(table);
    this.rove();
    this.tick();
  }

  heading(table, turn) {
    if (table.state === "over") return words.over;
    if (table.state === "waiting") return words.waiting;
    if (turn) return table.ask?.question || words.yourTurn;
    const others = table.turn.filter((seat) => seat !== table.seat).map((seat) => who(table, seat));
    return others.length ? words.waitingFor(words.listed(others)) : words.wait;
  }

  // buttons

  buttons(table, turn) {
    const items = table.state === "over" ? this.afterwards(table) : table.state === "waiting" ? this.beforehand(table) : turn ? this.choices(table) : [];
    const round = sharedVerb(items.filter((one) => one.move).map((one) => one.move)) !== "";
    const keys = keysOf(items);
    this.moves.classList.toggle("round", round);
    keep(this.moves, items.map((item, at) => [item.key ?? item.move ?? item.line ?? item.text,
      () => make("button", { type: "button" }, make("span.label"), make("kbd", { "aria-hidden": "true" }), make("span.means")),
      (button) => this.button(button, item, keys[at], round)]));
  }

  /** Return the moves that are buttons: those that the turn names, then the other simple ones. */
  choices(table) {
    const onParts = new Set([...this.on.values()].map((one) => one.move));
    const named = (table.ask?.choices ?? []).filter((one) => !onParts.has(one.move));
    const simple = [...named, ...table.moves.filter((one) => !this.on.has(one.on) && !named.some(({ move }) => move === one.move))];
    const numbered = [...this.widgets].filter(([, widget]) => widget === "numbers" || widget === "simple");
    const more = numbered.flatMap(([verb]) => this.graph.parts(this.graph.after([verb])).map(([part]) => ({ move: `${verb} ${part}`, text: capital(`${verb} ${part}`) })))
      .filter((one) => !simple.some(({ move }) => move === one.move));
    const legal = [...simple, ...more];
    const barred = (table.picture?.barred ?? []).filter((one) => !legal.some(({ move }) => move === one.move))
      .map((one) => ({ ...one, text: capital(one.move) }));
    const all = [...legal, ...barred];
    if (sharedVerb(all.map((one) => one.move))) all.sort((one, other) => numberOf(one.move) - numberOf(other.move));
    const mark = this.marking ? [this.markedMove(all)] : [];
    const other = this.hidesFields(table) ? [{ key: "other", text: words.other(capital(table.ask.others.replace(/^or /u, ""))), keyless: true, act: () => this.openFields() }] : [];
    return [...mark, ...all.filter((one) => one.move !== mark[0]?.move), ...other];
  }

  /** Whether the fields stay shut until someone wants another move than those that the turn names. */
  hidesFields(table) {
    return Boolean(table.ask?.others && table.ask.choices.length && this.composed(table)) && !this.wide;
  }

  openFields() {
    this.wide = true;
    this.show(this.table);
    this.fields.querySelector(".stop, input, select")?.focus();
    this.fields.scrollIntoView({ block: "nearest" });
  }

  /** Return the button that follows what is marked: `Roll 3, keep 2`. Of dice, those are marked that are kept. */
  markedMove(named) {
    const verb = this.marking, dice = this.pieces[0].kind === "die";
    const chosen = new Set(this.ids.filter((id) => this.marks.has(id) !== dice));
    const move = marked(this.graph, verb, chosen, this.ids);
    const count = chosen.size, rest = this.ids.length - count;
    const text = dice ? words.rollKeep(capital(verb), count, rest) : words.verbCount(capital(verb), count);
    const number = named.find((one) => one.move === move)?.number;
    return { key: `*${verb}`, move, text, number, line: move ?? "", why: move ? "" : dice ? words.nothingToRoll : words.markCards };
  }

  afterwards(table) {
    return (table.next ?? words.nextWithoutNews(table)).map(({ line, text }) => {
      const view = line.split(" ")[0].slice(1);
      return { line, text: capital(text), ...(this.place.views?.[view] ? { act: () => this.place.open(view, table.number) } : {}) };
    });
  }

  beforehand(table) {
    const at = `/at ${table.number}`;
    return [{ line: `${at} start`, text: words.start }, { line: `${at} house`, text: words.addBot }];
  }

  button(button, item, digit, round) {
    const { move, text, why } = item, number = round && move ? numberOf(move) : null;
    const doubted = move && this.doubted === move;
    button.item = item;
    shown(button.firstChild, doubted ? words.anyway(text) : number === null ? text : `${number}`, doubted ? undefined : item.say ? capital(item.say) : number === null ? undefined : text);
    say(button.querySelector("kbd"), digit);
    say(button.lastChild, item.badge ?? "");
    button.classList.toggle("barred", Boolean(why) && round);
    button.classList.toggle("doubted", Boolean(doubted));
    set(button, { "aria-disabled": this.off || why ? "true" : null, "aria-keyshortcuts": digit || null,
      "data-move": move ?? null, title: why && round ? why : null });
  }

  // fields for many moves

  /** The moves that are put together in fields, if there are any. */
  composed(table) {
    return table.groups?.find(({ verb }) => ["parts", "amount"].includes(this.widgets.get(verb)));
  }

  showFields(table) {
    const group = this.composed(table);
    if (!group || this.hidesFields(table)) {
      hide(this.fields, true);
      this.section.classList.remove("tall");
      return;
    }
    if (!this.form) {
      this.load();
      return;
    }
    hide(this.fields, false);
    this.section.classList.add("tall");
    this.form.show(table, this.graph, group, this.widgets.get(group.verb), this.off);
  }

  /** Load the fields once, when a move needs them. */
  async load() {
    const { Fields } = await load("/fields.js");
    this.form ??= new Fields(this.fields, { make: (move) => this.make(move), complete: (text) => this.complete(text), wish: () => this.wish });
    this.show(this.table);
  }

  async complete(text) {
    const { packets } = await this.place.look({ complete: text, table: this.table.number });
    return packets.find((packet) => packet.options)?.options ?? [];
  }

  // hand

  showHand(table) {
    const { picture } = table, kind = this.pieces[0]?.kind ?? "card", dice = kind === "die";
    const marks = this.marking !== "";
    const papers = [...this.pieces, ...(picture?.listed ?? []).filter(({ id }) => this.on.has(id))].filter((one) => one.kind === "statement");
    const own = papers.toSorted((one, other) => this.on.has(other.id) - this.on.has(one.id));
    const cards = kind === "card" ? this.pieces : [];
    const numbered = !this.moves.childElementCount;
    const legal = [...this.on.keys()];
    const digit = (id) => (numbered && this.on.has(id) && legal.indexOf(id) < 10 ? String((legal.indexOf(id) + 1) % 10) : "");
    const held = isYourTurn(table) ? table.ask?.held : null;
    say(this.worth, held?.worth ? words.heldWorth(held.label, held.worth) : "");
    const items = table.state === "over" ? [] : dice ? this.pieces.map((one, at) => (marks ? this.dieItem(one, at) : dieShown(one, at)))
      : own.length ? own.map((one) => this.paperItem(one, digit(one.id)))
        : cards.map(({ face, id }, at) => this.cardItem(face, id || `${face}/${at}`, digit(id)));
    this.section.classList.toggle("long", own.length > 3);
    this.hand.className = `hand ${dice ? "dice" : own.length ? "papers" : "cards"}`;
    this.hand.classList.toggle("choosing", this.on.size > 0 || this.marking !== "");
    this.hand.style.setProperty("--wide", items.length);
    this.hand.style.setProperty("--slim", items.length > ONE_ROW ? Math.ceil(items.length / 2) : items.length);
    set(this.hand, { "aria-label": picture?.mine?.label || words.hand });
    keep(this.hand, items);
  }

  cardItem(text, id, digit) {
    const marks = this.marking !== "";
    return [id, () => make("button.held", { type: "button", "data-id": id }, draw(text), make("span.hidden"), make("kbd", { "aria-hidden": "true" })), (button) => {
      this.holds(button, this.on.get(id), digit);
      const on = marks && this.marks.has(id);
      button.mark = marks ? id : null;
      say(button.querySelector(".hidden"), on ? words.markedAs(spoken(text), this.marking) : spoken(text));
      set(button, { "aria-pressed": marks ? String(on) : null, ...(marks ? { "aria-disabled": this.off ? "true" : null } : {}) });
    }];
  }

  dieItem(one, at) {
    return [`${one.id || at}${one.face}`, () => make("button.keepable", { type: "button" }, die(one.face, one.open !== false), make("span.label", { "aria-hidden": "true" }), make("span.hidden")), (button) => {
      const kept = this.marks.has(one.id);
      button.mark = one.id;
      button.item = null;
      say(button.querySelector(".label"), kept ? words.keep : capital(this.marking));
      say(button.querySelector(".hidden"), words.dieNumber(at + 1, spokenDie(one.face, one.open !== false), kept ? words.keep : this.marking));
      set(button, { "aria-pressed": String(kept), "aria-disabled": this.off ? "true" : null });
    }];
  }

  paperItem({ id, face, text, mark }, digit) {
    return [id, () => make("button.paper", { type: "button", "data-id": id }, make("b"), make("span.mark"), make("kbd", { "aria-hidden": "true" }), make("span.text"), make("span.own")), (button) => {
      say(button.querySelector("b"), face);
      shown(button.querySelector(".mark"), words.marks[mark]?.join(" ") ?? "", words.marks[mark]?.[1] ?? "");
      say(button.querySelector(".text"), text);
      say(button.querySelector(".own"), noteOn(this.table, id) && words.noted(noteOn(this.table, id)));
      button.classList.toggle("true", mark === "true");
      button.classList.toggle("false", mark === "false");
      this.holds(button, this.on.get(id), digit);
    }];
  }

  holds(button, move, digit) {
    button.item = move ?? null;
    button.mark = null;
    say(button.querySelector("kbd"), digit);
    set(button, { "data-move": move?.move ?? null, "aria-disabled": move && !this.off ? null : "true", "aria-keyshortcuts": digit || null });
  }

  // keys and clicks

  get stops() {
    return [...this.section.querySelectorAll(".moves button, .fields:not([hidden]) .stop:not([hidden]), .hand button")];
  }

  /** Let Tab reach one button: arrows move on from there. */
  rove() {
    const stops = this.stops;
    const kept = stops.find((button) => button === document.activeElement) ?? stops.find((one) => one === this.last)
      ?? stops.find((one) => !one.getAttribute("aria-disabled")) ?? stops[0];
    for (const button of stops) set(button, { tabindex: button === kept ? 0 : -1 });
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("input, select, textarea")) return;
    const stops = this.stops, at = stops.indexOf(document.activeElement);
    const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: Math.max(at, 0) - 1, ArrowUp: Math.max(at, 0) - 1, Home: 0, End: -1 }[event.key];
    if (to !== undefined && stops.length && !event.target.closest(".stepper, .pill")) {
      event.preventDefault();
      this.last = stops.at(to % stops.length);
      this.last.focus();
      this.rove();
    } else if (/^\d$/u.test(event.key)) {
      const found = stops.find((button) => button.getAttribute("aria-keyshortcuts") === event.key);
      if (found && !event.repeat) this.choose(found);
    } else if (event.repeat && (event.key === "Enter" || event.key === " ")) event.preventDefault();
  }

  click(event) {
    const button = event.target.closest(".moves button, .hand button");
    if (button) this.choose(button);
  }

  choose(button) {
    this.last = button;
    const { item, mark } = button;
    if (this.off) say(this.why, this.off === this.sent ? "" : this.off);
    else if (mark) this.mark(mark);
    else if (!item && button.dataset.id && this.on.size) this.forbidden(button.dataset.id);
    else if (!item || item.why) say(this.why, item?.why ? capital(item.why) : this.whyNot());
    else if (item.doubt && this.doubted !== item.move) this.doubt(item);
    else if (item.act) item.act();
    else if (item.move) this.make(item.move);
    else this.command(item.line);
  }

  whyNot() {
    if (!isYourTurn(this.table)) return capital(this.heading(this.table, false));
    return this.on.size ? words.notNow : words.notYet;
  }

  /** Let the server say which rule forbids a card: it refuses the move, and nothing has happened. */
  async forbidden(id) {
    const [{ move, on }] = this.on.values(), { number, seq } = this.table;
    const { error } = await this.place.look({ move: move.replace(on, id), table: number, seq });
    say(this.why, error?.code === "lost" ? words.notConnected : error?.text ?? this.whyNot());
  }

  mark(id) {
    if (!this.marks.delete(id)) this.marks.add(id);
    this.show(this.table);
  }

  doubt({ move, doubt }) {
    this.doubted = move;
    this.show(this.table);
    say(this.why, doubt);
  }

  /** Make a move. Everything is off until the server has answered; no card is shown as played before that. */
  async make(move) {
    if (this.off) return;
    const { key_: key } = this;
    const sending = (text) => {
      if (this.key_ !== key) return;
      this.sent = text;
      this.show(this.table);
    };
    sending(words.sent);
    const error = await this.place.move({ move, ...this.offer.take() }, () => sending(words.sending));
    if (!error || (this.key_ !== key && error.code === "not-found")) return; // the game has ended meanwhile
    sending("");
    say(this.why, { stale: words.stale }[error.code] ?? error.text ?? "");
  }

  async command(line) {
    const error = await this.place.ask({ line });
    if (error) say(this.why, error.text ?? words.notConnected);
  }

  // clock

  tick() {
    clearTimeout(this.timer);
    const left = Math.ceil((this.until - performance.now()) / 1000);
    say(this.clock, this.until && isYourTurn(this.table) ? words.left(Math.max(0, left)) : "");
    this.clock.classList.toggle("short", left <= 10);
    if (this.until && left > 0) this.timer = setTimeout(() => this.tick(), 1000);
  }
}

function numberOf(move) {
  return Number(/\d+$/u.exec(move)?.[0]);
}

/** Return a die that you hold and can't roll again now. */
function dieShown(one, at) {
  return [`${one.id || at}${one.face}=`, () => make("span.keepable", {}, die(one.face, one.open !== false), make("span.hidden")), (shownDie) => {
    say(shownDie.querySelector(".hidden"), words.dieShown(at + 1, spokenDie(one.face, one.open !== false)));
  }];
}
