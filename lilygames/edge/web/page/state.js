// What the page knows, from the packets it has got. Nothing here touches the page.

const TALK_KEPT = 300;

export class State {
  constructor() {
    this.hello = null;
    this.place = null;
    this.prompt = null;
    this.name = "";
    this.guest = true;
    this.tables = new Map();
    this.shown = null;
    this.rooms = [];
    this.people = [];
    this.rows = [];
    this.resume = null;
    this.serial = 0;
  }

  /** The table on the page, or null. */
  get table() {
    return this.tables.get(this.shown) ?? null;
  }

  get loggedIn() {
    return this.name !== "";
  }

  /** Forget what a new connection says again. */
  begin() {
    this.prompt = null;
    this.name = "";
  }

  /** Take in a packet. */
  hear(packet) {
    const [kind] = Object.keys(packet).filter((key) => key !== "re");
    this[`take_${kind}`]?.(packet[kind], packet);
  }

  take_hello(value) { this.hello = value; }

  take_place(value) { this.place = value; }

  take_prompt(text, packet) { this.prompt = { text, secret: packet.secret }; }

  take_name(value) {
    this.name = value.name;
    this.guest = value.guest;
    this.prompt = null;
  }

  take_resume(value) { this.resume = value; }

  take_rooms(value) { this.rooms = value; }

  take_people(value) { this.people = value; }

  take_tables(value) { this.place = { ...this.place, tables: value }; }

  take_line(text, { kind, by, error }) {
    if (kind !== "turn") this.say({ kind: error ? "error" : kind, text, by });
  }

  take_talk({ talker, text, kind, channel }) { this.say({ kind: "said", how: kind, by: talker, text, room: channel }); }

  take_table(value) {
    const before = this.tables.get(value.number) ?? { moves: [], count: 0, picture: null };
    this.tables.set(value.number, { ...before, ...value });
    if (this.shown === null || value.seat !== null) this.shown = value.number;
  }

  take_picture({ number, picture }) { this.change(number, { picture }); }

  take_moves({ table, count, moves, turn }) {
    for (const [number, one] of this.tables) if (one.room === table || one.table === table) this.change(number, { count, moves, mine: turn });
  }

  take_update({ number, seq, seat, state, turn, picture, moves }) {
    const known = this.tables.get(number);
    if (known && known.seq >= seq) return;
    this.change(number, { seq, seat, state, turn, ...(picture ? { picture } : {}), ...(moves ? { ...moves, mine: moves.turn, turn } : {}) });
  }

  change(number, values) {
    const known = this.tables.get(number);
    if (known) this.tables.set(number, { ...known, ...values });
  }

  say(row) {
    this.rows.push({ ...row, key: ++this.serial });
    if (this.rows.length > TALK_KEPT) this.rows.shift();
  }
}
