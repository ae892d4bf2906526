// What the page knows, from the packets it has got. Nothing here touches the page.

import { withTens } from "./speech.js";
import { titles } from "./words.js";

const ROWS_KEPT = 300;
const COLUMNS = /\S {2,}\S/u;
const NO_MOVES = { mine: false, count: 0, moves: [], groups: [] };

export class State {
  constructor() {
    this.hello = null;
    this.place = null;
    this.prompt = null;
    this.name = "";
    this.whose = ""; // who was logged in last: what they read stays until someone else logs in
    this.guest = true;
    this.settings = {};
    this.connected = false;
    this.goodbye = "";
    this.talks = new Set();
    this.tables = new Map();
    this.shown = null;
    this.rooms = [];
    this.people = [];
    this.rows = [];
    this.resume = null;
    this.gaps = new Set();
    this.news = 0;
    this.serial = 0;
  }

  /** The table on the page, or null. */
  get table() {
    return this.tables.get(this.shown) ?? null;
  }

  get loggedIn() {
    return this.name !== "";
  }

  /** The last entry of each table on the page: what someone sees who types a line now. */
  get seen() {
    return Object.fromEntries([...this.tables.values()].map(({ number, seq }) => [number, seq]));
  }

  /** The tables that wait for you. */
  get waiting() {
    return [...this.tables.values()].filter(isYourTurn);
  }

  /** Forget what a new connection says again. */
  begin() {
    if (!this.whose) this.rows = [];
    this.prompt = null;
    this.name = "";
    this.connected = false;
    this.goodbye = "";
  }

  /** Take in a packet. */
  hear(packet) {
    const [kind] = Object.keys(packet).filter((key) => key !== "re");
    this[`take_${kind}`]?.(packet[kind], packet);
  }

  take_hello(value) {
    this.hello = value;
    Object.assign(titles, value.titles);
    this.connected = true;
  }

  take_place(value) { this.place = value; }

  take_place_update(value) { this.place = { ...this.place, ...value }; }

  take_prompt(text, packet) { this.prompt = { text, secret: packet.secret, asks: packet.asks ?? "" }; }

  take_name(value) {
    if (!this.name && this.whose && this.whose !== value.name) this.rows = [];
    this.name = this.whose = value.name;
    this.guest = value.guest;
    this.prompt = null;
  }

  take_you(value) {
    this.take_name(value);
    this.settings = value.settings ?? {};
  }

  take_resume(value) { this.resume = value; }

  take_rooms(value) { this.rooms = value; }

  take_people(value) { this.people = value; }

  /** Take in the first page of tables, unless the place has said that there are more than it lists. */
  take_tables(value) {
    if (!this.place?.more) this.place = { ...this.place, tables: value };
  }

  take_goodbye({ reason }) {
    this.goodbye = reason;
    if (reason === "bye") this.whose = "";
  }

  /** Show a line. The greeting before the login is for terminals, and the heading says whose turn it is. */
  take_line(text, { kind, by, error, re, number }) {
    if (kind === "turn" || (!this.loggedIn && re === undefined)) return;
    this.say({ kind: error ? "error" : kind, by, text, table: this.tables.has(number) ? number : undefined });
  }

  take_talk(talk) {
    if (talk.id !== undefined && this.talks.has(talk.id)) return;
    this.talks.add(talk.id);
    this.say(spoken(talk));
  }

  /** Show earlier talk before what is on the page, without what is there already. */
  take_recent(messages) {
    const shown = new Set(this.rows.map(({ said }) => said));
    const earlier = messages.map(spoken).filter(({ said }) => !shown.has(said));
    this.rows = [...earlier.map((row) => ({ ...row, key: ++this.serial })), ...this.rows].slice(-ROWS_KEPT);
  }

  take_table({ moves, ...value }) {
    const before = this.tables.get(value.number);
    if (!before || before.seq !== value.seq) this.news += before ? 1 : 0;
    this.gaps.delete(value.number);
    this.tables.set(value.number, { picture: null, choices: null, over: null, ...before, ...value, ...listed(moves) });
    if (value.seat !== null && !before) {
      for (const { number, state } of [...this.tables.values()]) if (state === "over" && number !== value.number) this.forget(number);
      this.shown = value.number;
    } else if (!this.table) this.shown = value.number;
  }

  /** Forget the tables in rooms that you have left. */
  take_channels(rooms) {
    const names = new Set(rooms.map(({ name }) => name));
    for (const { number, room, seat, state } of [...this.tables.values()]) {
      if ((seat === null || state === "over") && !names.has(room)) this.forget(number);
    }
  }

  take_update({ number, seq, events = [], moves, picture, ...value }) {
    const known = this.tables.get(number);
    if (!known || known.seq >= seq) return;
    if (known.seq + 1 < seq) {
      this.gaps.add(number);
      return;
    }
    this.news += 1;
    if (known.seat !== null && value.seat === null) {
      this.forget(number);
      return;
    }
    const state = value.state ?? known.state;
    const seen = picture ? { ...known.picture, ...picture } : known.picture; // only what has changed is sent
    const ended = seen?.last_trick ? null : endedTrick(known.picture, events) ?? known.ended ?? null;
    this.tables.set(number, { ...known, ...value, picture: seen, seq, state, ended, ...listed(moves), choices: null });
    for (const event of events) this.tell(number, event);
  }

  /** Add an event to the log; in words if its text is in columns, which are too wide. */
  tell(table, { text, say }) {
    const { picture, names } = this.tables.get(table) ?? {};
    const written = picture?.zones?.some(({ pieces }) => pieces[0]?.kind === "die") ? withTens(text ?? "", names) : text ?? "";
    const shown = COLUMNS.test(written) && say ? say : written;
    for (const row of shown.split("\n")) {
      if (row) this.say({ kind: "game", text: row, say: shown.includes("\n") || shown === say ? "" : say, table });
    }
  }

  take_choices({ number, seq, nodes, heads }) {
    const known = this.tables.get(number);
    if (known?.seq === seq) this.tables.set(number, { ...known, choices: { nodes, heads } });
  }

  take_clock({ number, left, more, seats }) { this.change(number, { clock: { left, more, seats } }); }

  take_roster({ number, roster }) { this.change(number, { roster }); }

  take_notes({ number, notes }) { this.change(number, { notes }); }

  take_over({ number, next, ...over }) { this.change(number, { over, next, state: "over", ask: null, ...NO_MOVES }); }

  take_hint({ number, ...hint }) { this.change(number, { hint }); }

  change(number, values) {
    const known = this.tables.get(number);
    if (known) this.tables.set(number, { ...known, ...values });
  }

  /** Forget a table, and show another one if it was shown. */
  forget(number) {
    this.tables.delete(number);
    if (this.shown === number) this.shown = [...this.tables.keys()].at(-1) ?? null;
  }

  say(row) {
    this.rows.push({ ...row, key: ++this.serial });
    if (this.rows.length > ROWS_KEPT) this.rows.shift();
  }
}

/** Return the row of a message; `said` is the same for the same message. */
function spoken({ talker, from, text, kind, channel, room, at }) {
  const by = talker ?? from, where = channel ?? room;
  return { kind: "said", how: kind, by, text, room: where, said: JSON.stringify([at, by, where, text]) };
}

/** Return the last trick of a round, or null: the picture after it shows the next round already. */
function endedTrick(before, events) {
  const last = events.find((event) => event.is === "CardPlayed"), end = events.find(({ is }) => /^Trick(?:Won|Cancelled)$/u.test(is));
  if (!before || !last || !end) return null;
  const laid = before.seats.filter(({ pieces: [lies] }) => lies && lies.face !== "--").map(({ seat, pieces }) => [seat, pieces[0].face]);
  return { cards: [...laid, [last.seat, last.card]], winner: end.is === "TrickWon" ? end.seat : null, ids: [] };
}

/** Whether it's your turn at a table. */
export function isYourTurn(table) {
  return table.state === "playing" && table.mine && table.count > 0;
}

/** Return the legal moves of a packet as the page keeps them. */
function listed(moves) {
  if (!moves) return NO_MOVES;
  const { turn, count, list = [], groups = [], clock = null } = moves;
  return { mine: turn, count, moves: list, groups, clock };
}
