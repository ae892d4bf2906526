// The websocket: one JSON object a line in both directions, with ids for requests. It comes back by itself.

const SOONEST = 500, LATEST = 15000;
const NORMAL = 1000, RESTART = 1012;
/** How long a connection has lasted, in milliseconds, if the server ended it because nobody logged in. */
const VISIT = 20000;
/** Milliseconds without a word from the server until it's asked whether it's there; fewer while a request waits. */
const QUIET = 5000, QUIET_WAITING = 2000;
/** How long the server may take to answer that, or to accept a connection, in milliseconds. */
const ALIVE = 5000;
/** Milliseconds between two looks at the connection. */
const LOOK = 1000;

export class Connection {
  /** Report each packet to `heard`, and each change of state to `changed(state, seconds)`. */
  constructor(url, heard, changed) {
    this.url = url;
    this.heard = heard;
    this.changed = changed;
    this.id = 0;
    this.waiting = new Map();
    this.looks = new Map();
    this.delay = SOONEST;
    this.wanted = true;
    this.socket = null;
    addEventListener("online", () => this.now());
    document.addEventListener("visibilitychange", () => document.hidden || this.now());
    setInterval(() => document.hidden || this.watch(), LOOK);
  }

  open() {
    clearTimeout(this.timer);
    this.changed("connecting");
    this.named = false;
    const socket = (this.socket = new WebSocket(this.url));
    this.listen();
    socket.onopen = () => {
      this.delay = SOONEST;
      this.since = performance.now();
      this.listen();
      this.changed("connected");
    };
    socket.onmessage = ({ data }) => {
      if (socket !== this.socket) return;
      this.listen();
      for (const line of data.split("\r\n")) if (line) this.take(line);
    };
    socket.onclose = ({ code }) => socket === this.socket && this.lost(code);
  }

  take(line) {
    let packet;
    try {
      packet = JSON.parse(line);
    } catch {
      return;
    }
    if ("pong" in packet) return;
    if ("done" in packet) {
      this.waiting.get(packet.done)?.(packet.error);
      this.waiting.delete(packet.done);
    }
    this.named ||= "name" in packet;
    const look = this.looks.get(packet.re);
    look?.push(packet);
    if (!look || packet.line === undefined) this.heard(packet);
  }

  lost(code) {
    const left = code === NORMAL && !this.named && performance.now() - this.since > VISIT;
    this.giveBack();
    if (!this.wanted) {
      this.changed("lost", 0);
      return;
    }
    if (left) {
      if (!document.hidden) this.open(); // else when someone looks at the page again
      return;
    }
    const restarts = code === RESTART;
    this.comeBack(restarts ? "restarting" : "lost", restarts ? SOONEST : this.delay * (0.75 + Math.random() / 2));
  }

  /** Tell all who wait for an answer that the connection is lost. */
  giveBack() {
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    this.looks.clear();
    for (const done of waiting) done({ code: "lost" });
  }

  /** Show why there is no connection, and open one after some milliseconds. */
  comeBack(state, delay) {
    clearTimeout(this.timer);
    this.delay = Math.min(LATEST, this.delay * 2);
    this.changed(state, Math.ceil(delay / 1000));
    this.timer = setTimeout(() => this.open(), delay);
  }

  // whether the line is alive

  /** Begin to wait for the server's next word. */
  listen() {
    this.heardAt = performance.now();
    this.asked = null;
  }

  /** Ask a silent server whether it's there; if it says nothing to that either, the line is dead. */
  watch() {
    const { socket } = this, now = performance.now();
    if (socket?.readyState === WebSocket.CONNECTING) {
      if (now - this.heardAt > ALIVE) this.dead();
    } else if (socket?.readyState === WebSocket.OPEN) {
      if (this.asked !== null && now - this.asked > ALIVE) this.dead();
      else if (now - this.heardAt > (this.waiting.size ? QUIET_WAITING : QUIET)) this.ping();
    }
  }

  ping() {
    if (this.asked !== null) return;
    this.asked = performance.now();
    this.tell({ ping: ++this.id });
  }

  /** Leave a line that carries nothing any more, and connect anew. */
  dead() {
    const again = this.socket.readyState === WebSocket.CONNECTING ? this.delay : SOONEST;
    this.drop();
    this.giveBack();
    this.comeBack("dead", again);
  }

  drop() {
    this.socket.onclose = this.socket.onmessage = this.socket.onopen = null;
    this.socket.close();
    this.socket = null;
  }

  /** Try again at once, if the connection is lost; if it looks open, find out whether it is. */
  now() {
    const { socket } = this;
    if (!this.wanted) return;
    if (!socket || socket.readyState === WebSocket.CLOSED) this.open();
    else if (socket.readyState === WebSocket.OPEN) this.ping();
  }

  /** Stop trying: someone goes on in another window. */
  rest() {
    this.wanted = false;
    this.socket?.close();
  }

  /** Go on here. */
  goOn() {
    this.wanted = true;
    this.open();
  }

  /** Connect anew at once: the server forgets what it has asked. */
  again() {
    this.wanted = true;
    this.drop();
    this.giveBack();
    this.comeBack("connecting", SOONEST);
  }

  /** Send something that isn't answered. */
  tell(value) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(value));
  }

  /** Send a request; return its error, and all packets and lines that it causes. The lines aren't shown as talk. */
  async look(request) {
    const id = this.id + 1, packets = [];
    this.looks.set(id, packets);
    const error = await this.ask(request);
    this.looks.delete(id);
    return { error, packets, lines: packets.filter((one) => one.line !== undefined).map((one) => one.line) };
  }

  /** Send a request, such as `{ line: "/who" }`; return its error, or null. */
  ask(request) {
    if (this.socket?.readyState !== WebSocket.OPEN) return Promise.resolve({ code: "lost" });
    const id = ++this.id;
    this.socket.send(JSON.stringify({ id, ...request }));
    return new Promise((done) => this.waiting.set(id, done));
  }
}
