// A choice belongs to the position it was offered for: a click, a tap or a key carries the log entry that someone saw.
//
// The next card may slide under the pointer between two clicks. The server refuses a move for an earlier position, so all
// that is decided here is which position a choice was aimed at.

/** Milliseconds that a position has to be on the screen before anyone can have chosen from it. */
const SEEN = 250;

export class Offer {
  /** Follow the clicks, taps and keys in a part of the page. */
  constructor(box) {
    this.now = this.before = null;
    this.since = -Infinity;
    this.aimed = this.first = this.chosen = null;
    box.addEventListener("pointerdown", () => (this.aimed = this.seen), true);
    box.addEventListener("click", ({ detail }) => this.clicked(detail), true);
    box.addEventListener("keydown", () => (this.chosen = this.seen), true);
    box.addEventListener("keyup", () => setTimeout(() => (this.chosen = null)), true); // after the click of a space bar
  }

  /** Note the position that is drawn now. */
  show({ number, seq }) {
    if (this.now?.table === number && this.now.seq === seq) return;
    this.before = this.now?.table === number ? this.now : { table: number, seq: 0 };
    this.now = { table: number, seq };
    this.since = performance.now();
  }

  /** The position that someone can have seen who chooses at this moment. */
  get seen() {
    return performance.now() - this.since < SEEN ? this.before : this.now;
  }

  /** Take a click: all of a double click are aimed at what its first one was aimed at. Without a pointer the count is 0. */
  clicked(count) {
    if (count === 0) this.chosen ??= this.now;
    else if (count === 1) this.chosen = this.first = this.aimed ?? this.now;
    else this.chosen = this.first ?? this.now;
    this.aimed = null;
  }

  /** Return the position that the last click or key has chosen from, as a move carries it. */
  take() {
    const chosen = this.chosen ?? this.now;
    this.chosen = null;
    return chosen;
  }
}
