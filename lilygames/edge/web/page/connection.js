// The websocket: one JSON object a line in both directions, with ids for requests. It comes back by itself.

const SOONEST = 500, LATEST = 15000;
const NORMAL = 1000, RESTART = 1012;
/** How long a connection has lasted, in milliseconds, if the server ended it because nobody logged in. */
const VISIT = 20000;
/** How long the server may take to answer whether it's still there, in milliseconds. */
const ALIVE = 5000;

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
    addEventListener("online", () => this.now());
    document.addEventListener("visibilitychange", () => document.hidden || this.now());
  }

  open() {
    clearTimeout(this.timer);
    this.changed("connecting");
    this.named = false;
    const socket = (this.socket = new WebSocket(this.url));
    socket.onopen = () => {
      this.delay = SOONEST;
      this.since = performance.now();
      this.changed("connected");
    };
    socket.onmessage = ({ data }) => {
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
    for (const done of this.waiting.values()) done({ code: "lost" });
    this.waiting.clear();
    this.looks.clear();
    if (!this.wanted) {
      this.changed("lost", 0);
      return;
    }
    if (left) {
      if (!document.hidden) this.open(); // else when someone looks at the page again
      return;
    }
    clearTimeout(this.timer);
    const delay = code === RESTART ? SOONEST : this.delay * (0.75 + Math.random() / 2);
    this.delay = Math.min(LATEST, this.delay * 2);
    this.changed(code === RESTART ? "restarting" : "lost", Math.ceil(delay / 1000));
    this.timer = setTimeout(() => this.open(), delay);
  }

  /** Try again at once, if the connection is lost; if it looks open, find out whether it is. */
  now() {
    const { socket } = this;
    if (!this.wanted || !socket) return;
    if (socket.readyState === WebSocket.CLOSED) this.open();
    if (socket.readyState !== WebSocket.OPEN) return;
    const silent = setTimeout(() => socket === this.socket && this.again(), ALIVE);
    this.ask({ get: "place" }).then(() => clearTimeout(silent));
  }

  /** Stop trying: someone goes on in another window. */
  rest() {
    this.wanted = false;
    this.socket.close();
  }

  /** Go on here. */
  goOn() {
    this.wanted = true;
    this.open();
  }

  /** Connect anew at once: the server forgets what it has asked. */
  again() {
    this.wanted = true;
    this.socket.onclose = null;
    this.socket.close();
    this.lost(RESTART);
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
