// The websocket: one JSON object a line in both directions, with ids for requests. It comes back by itself.

const SOONEST = 500, LATEST = 15000;
const RESTART = 1012;

export class Connection {
  /** Report each packet to `heard`, and each change of state to `changed(state, seconds)`. */
  constructor(url, heard, changed) {
    this.url = url;
    this.heard = heard;
    this.changed = changed;
    this.id = 0;
    this.waiting = new Map();
    this.delay = SOONEST;
    this.wanted = true;
    addEventListener("online", () => this.now());
    document.addEventListener("visibilitychange", () => document.hidden || this.now());
    this.open();
  }

  open() {
    clearTimeout(this.timer);
    this.changed("connecting");
    const socket = (this.socket = new WebSocket(this.url));
    socket.onopen = () => {
      this.delay = SOONEST;
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
    this.heard(packet);
  }

  lost(code) {
    for (const done of this.waiting.values()) done({ code: "lost" });
    this.waiting.clear();
    if (!this.wanted) return;
    const delay = code === RESTART ? SOONEST : this.delay * (0.75 + Math.random() / 2);
    this.delay = Math.min(LATEST, this.delay * 2);
    this.changed(code === RESTART ? "restarting" : "lost", Math.ceil(delay / 1000));
    this.timer = setTimeout(() => this.open(), delay);
  }

  /** Try again at once, if the connection is lost. */
  now() {
    if (this.wanted && this.socket.readyState === WebSocket.CLOSED) this.open();
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

  /** Send a request, such as `{ line: "/who" }`; return its error, or null. */
  ask(request) {
    if (this.socket.readyState !== WebSocket.OPEN) return Promise.resolve({ code: "lost" });
    const id = ++this.id;
    this.socket.send(JSON.stringify({ id, ...request }));
    return new Promise((done) => this.waiting.set(id, done));
  }
}
