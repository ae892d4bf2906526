// What every part of the page gets: the state, requests to the server, and which view is shown.

import { Connection } from "/connection.js";
import { once } from "/once.js";
import { State } from "/state.js";
import { keep, kept } from "/storage.js";
import { titleOf, words } from "/words.js";

/** Why a line that was sent has answered nothing. */
const UNREAD = ["too-fast", "too-long", "bad-request"];

export class Place {
  constructor(url, parts, views) {
    this.state = new State();
    this.connection = new Connection(url, (packet) => this.heard(packet), (...change) => this.changed(...change));
    this.views = views;
    this.opened = null;
    this.loaded = new Map();
    this.invited = invitation();
    this.wish = null;
    this.resumed = false;
    this.due = false;
    this.early = [];
    this.returns = [];
    this.parts = parts.map((part) => part(this));
  }

  /** Connect, and load further parts: what is heard and asked until they are there is kept for them. */
  async begin(more) {
    this.connection.open();
    const { PARTS } = await more();
    const parts = PARTS.map((part) => part(this));
    for (const [what, value] of this.early) for (const part of parts) part[what]?.(value);
    this.early = null;
    this.parts.push(...parts);
    this.draw();
  }

  /** Tell all parts of a packet that was `heard`, or a request that is `asked`. */
  tell(what, value) {
    for (const part of this.parts) part[what]?.(value);
    this.early?.push([what, value]);
  }

  /** Send a request, such as `{ line: "/who" }`; return a promise of its error, or null. */
  ask(request) {
    this.tell("asked", request);
    return this.answering(request, this.connection.ask(request));
  }

  /**
   * Make a move; return its error, or null. If the connection is lost before the answer, `again` is called, and the move
   * is sent again when someone is back: however often the server gets it, it's made once.
   */
  async move(request, again) {
    const sent = { ...request, once: once() };
    let error = await this.ask(sent);
    while (error?.code === "lost") {
      again();
      await new Promise((back) => this.returns.push(back));
      error = await this.ask(sent);
    }
    return error;
  }

  /** Send a request; return its error and all packets that it causes. Its lines aren't shown in the talk. */
  look(request) {
    this.tell("asked", request);
    return this.answering(request, this.connection.look(request));
  }

  /** Forget the server's question once a line has answered it, unless the line didn't get there. */
  async answering({ line }, sent) {
    const { prompt } = this.state;
    if (line !== undefined) this.state.prompt = null;
    const result = await sent;
    const code = (result?.error ?? result)?.code;
    if (line !== undefined && UNREAD.includes(code)) this.state.prompt ??= prompt;
    return result;
  }

  /** Put a hint's price away, unread or refused. */
  forgetHint(number) {
    this.state.hear({ hint: { number } });
    this.draw();
  }

  /** Send a line for which one must have a name: whoever has none becomes a guest first. Return its error. */
  async enter(line) {
    await this.someone();
    return this.ask({ line });
  }

  /** Wait until someone is logged in, as a guest if nobody is. */
  someone() {
    if (this.state.loggedIn) return Promise.resolve();
    return new Promise((done) => {
      this.wish = done;
      this.answer();
    });
  }

  /** The name of what the main part shows: `lobby`, `table`, or a view that was opened. */
  get view() {
    return this.opened ?? (this.state.table ? "table" : "lobby");
  }

  /** Load a view and show it. */
  async open(name, about) {
    const { view } = await this.views[name]();
    if (!this.loaded.has(name)) {
      const made = view(this);
      this.loaded.set(name, made);
      this.parts.push(made);
      document.querySelector("#main").prepend(made.section);
    }
    this.opened = name;
    this.loaded.get(name).show(about);
    this.draw();
  }

  /** Show the lobby, although there may be a table. */
  go(name) {
    this.opened = name;
    this.draw();
  }

  /** Go back from a view to the table or the lobby. */
  close() {
    this.opened = null;
    this.draw();
  }

  /** Draw the page soon. */
  draw() {
    if (this.due) return;
    this.due = true;
    requestAnimationFrame(() => this.paint());
    setTimeout(() => this.paint(), 100); // a hidden tab has no animation frames, and its title matters
  }

  paint() {
    if (!this.due) return;
    this.due = false;
    for (const [name, { section }] of this.loaded) section.hidden = name !== this.opened;
    for (const part of this.parts) part.paint();
  }

  heard(packet) {
    this.state.hear(packet);
    if (packet.prompt !== undefined) this.answer();
    if (packet.hello) this.connection.ask({ picture: true });
    if (packet.goodbye) this.ended(packet.goodbye);
    if (packet.you) this.arrived();
    for (const table of this.state.gaps) this.connection.ask({ get: "table", table });
    this.state.gaps.clear();
    if (packet.resume) this.renew(packet.resume.token);
    this.tell("heard", packet);
    this.draw();
  }

  /** Come back as nobody after a logout; else stay away, unless the server only wants strangers not to stay for ever. */
  ended({ reason, retry }) {
    if (reason === "bye") {
      keep("resume", null);
      for (const number of this.state.tables.keys()) this.state.forget(number);
      this.opened = null;
      this.connection.again();
    } else if (!retry && (reason !== "idle" || this.state.loggedIn)) this.connection.rest();
  }

  changed(what, seconds) {
    if (what === "connecting") {
      this.state.begin();
      this.resumed = false;
    }
    if (what !== "connected") this.state.connected = false;
    for (const part of this.parts) part.changed?.(what, seconds);
    this.draw();
  }

  /** Answer prompts that need nobody: resume, or log in as a guest if someone wants to play now. */
  answer() {
    const { prompt, loggedIn, tables } = this.state;
    if (!prompt || loggedIn) return null;
    const login = prompt.asks === "login";
    const token = kept("resume");
    if (token && login && !this.resumed) {
      this.resumed = true;
      const seen = [...tables.values()].map((table) => `${table.number}:${table.seq}`);
      return this.logIn(["resume", token, ...seen].join(" "));
    }
    return this.wish ? this.logIn(login ? "guest" : "") : null;
  }

  /** Answer a prompt before the login; what terminals are told then isn't shown. */
  async logIn(line) {
    const { error } = await this.connection.look({ line });
    if (error?.code === "session-ended") keep("resume", null);
    else if (error && error.code !== "lost") this.state.say({ kind: "error", text: error.text });
    this.draw();
  }

  arrived() {
    this.checkTables();
    if (this.resumed && !this.state.rows.some(({ kind }) => kind === "said")) this.connection.ask({ get: "talk" });
    this.resumed = false;
    this.wish?.();
    this.wish = null;
    for (const back of this.returns.splice(0)) back();
  }

  /** Look whether the tables on the page are still open: a game may have ended while the page was away. */
  checkTables() {
    for (const { number, game, daily } of [...this.state.tables.values()].filter((one) => one.state !== "over")) {
      this.connection.look({ get: "table", table: number }).then(({ error }) => {
        if (error?.code !== "not-found") return;
        this.state.hear({ over: { number } });
        this.state.say({ kind: "notice", text: words.endedAway(titleOf(game), number, daily) });
        this.draw();
      });
    }
  }

  /** Keep the word for coming back, and confirm that it has arrived: until then the one before is valid, too. */
  renew(token) {
    keep("resume", token, kept("stay") === "yes");
    this.connection.tell({ ack: Object.fromEntries([...this.state.tables.values()].map(({ number, seq }) => [number, seq])) });
  }
}

/** Return the table that an invitation link names, and the word for a private one: `/t/12#word`. */
function invitation() {
  const [, number] = /^\/t\/(\d{1,9})$/u.exec(location.pathname) ?? [];
  return number ? { number: Number(number), word: /^#[a-z0-9]{1,40}$/u.test(location.hash) ? location.hash.slice(1) : "" } : null;
}
