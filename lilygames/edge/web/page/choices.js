// What you can choose from, computed from your legal moves and your turn. Nothing here touches the page.
//
// The server sends the legal moves as a graph of their parts: a node says whether a move can end there, and which parts
// can come next. The shape of the graph decides which widget a verb gets, so that no game needs one of its own.

import { words } from "./words.js";

const MANY_NUMBERS = 21;

/** A graph of moves: `nodes[0]` is where they begin. */
export class Graph {
  constructor({ nodes, heads = {} }) {
    this.nodes = nodes;
    this.heads = heads;
  }

  get verbs() {
    return this.parts(0).map(([verb]) => verb);
  }

  /** Return the parts that can come next at a node, each with the node behind it. */
  parts(at) {
    return this.nodes[at].slice(1);
  }

  ends(at) {
    return this.nodes[at][0];
  }

  /** Return the node after these parts, or null. */
  after(words, at = 0) {
    for (const word of words) {
      at = this.parts(at).find(([part]) => part === word)?.[1];
      if (at === undefined) return null;
    }
    return at;
  }

  /** Whether these parts are a legal move. */
  isMove(words) {
    const at = this.after(words);
    return at !== null && this.ends(at);
  }

  /** Return all parts that occur behind a node. */
  all(at, found = new Set(), seen = new Set()) {
    if (seen.has(at)) return found;
    seen.add(at);
    for (const [part, behind] of this.parts(at)) {
      found.add(part);
      this.all(behind, found, seen);
    }
    return found;
  }
}

/** Return which widget a verb's moves need: `simple`, `marks` (of pieces that you hold), `amount`, `numbers` or `parts`. */
export function widgetOf(graph, verb, held) {
  const at = graph.after([verb]);
  const parts = graph.parts(at);
  if (!parts.length) return "simple";
  const all = [...graph.all(at)];
  const pieces = all.filter((part) => part !== "all" && part !== "none");
  if (held.length && pieces.every((part) => held.includes(part))) {
    return pieces.length < all.length || parts.some(([, next]) => graph.parts(next).length) ? "marks" : "simple";
  }
  const single = parts.every(([, next]) => !graph.parts(next).length);
  if (single && parts.every(([part]) => /^\d+$/u.test(part))) return parts.length > MANY_NUMBERS ? "amount" : "numbers";
  return "parts";
}

/** Return the move that names these of all things that can be marked, or null: `roll all`, `discard 2C 3D`. */
export function marked(graph, verb, chosen, all) {
  const tries = [[verb, ...all.filter((one) => chosen.has(one))]];
  if (chosen.size === all.length) tries.unshift([verb, "all"]);
  if (!chosen.size) tries.unshift([verb, "none"]);
  return tries.find((words) => words.length > 1 && graph.isMove(words))?.join(" ") ?? null;
}

/**
 * Return the steps of a move that is put together: each has its head, its options and the one that is chosen. `wish` are
 * the options that someone has chosen; one that isn't possible is replaced by the first that is. The option "" adds
 * nothing. Parts that begin with "+ " are a step of their own.
 */
export function steps(graph, verb, wish) {
  const heads = graph.heads[verb] ?? [], found = [];
  const take = (head, options) => {
    const wanted = wish[found.length];
    const chosen = options.includes(wanted) ? wanted : options[0];
    found.push({ head, options, chosen });
    return chosen;
  };
  for (let at = graph.after([verb]), named = 0; ;) {
    const parts = graph.parts(at).map(([part]) => part), none = graph.ends(at) ? [""] : [];
    const more = parts.filter((part) => part.startsWith("+ ")), first = parts.filter((part) => !more.includes(part));
    let chosen = "";
    if (first.length) chosen = take(heads[Math.min(named++, heads.length - 1)] ?? "", [...(more.length ? [""] : none), ...first]);
    if (!chosen && more.length) chosen = take("+", [...none, ...more]);
    if (!chosen) return found;
    at = graph.after([chosen], at);
  }
}

/** Return the move that steps make: `claim pair Q + K`. */
export function moveOf(verb, made) {
  return [verb, ...made.map(({ chosen }) => chosen).filter(Boolean)].join(" ");
}

/** Return the amounts to choose with one press: those that the turn names, else the smallest and the largest. */
export function amounts(numbers, named = []) {
  const known = named.filter(({ number }) => numbers.includes(number));
  const [least, most] = [numbers[0], numbers.at(-1)];
  return known.length ? known : [{ text: words.least(least), number: least }, { text: words.most(most), number: most }];
}

/**
 * Return the digit that chooses each of these buttons, "" for none: the number that the server gives a move, else the
 * next one that is free. A barred move has none, nor has a button that only opens fields: its digit is another move's.
 */
export function keysOf(items) {
  const taken = new Set(items.map(({ number }) => number));
  const free = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0].filter((digit) => !taken.has(digit));
  return items.map(({ number, why, keyless }) => {
    const digit = why || keyless ? undefined : number ?? free.shift();
    return digit < 10 ? String(digit) : "";
  });
}

/** Return the verb that all of these moves share before a small number, or "": then they are round buttons. */
export function sharedVerb(moves) {
  const verbs = new Set(moves.map((move) => /^(\S+) \d{1,2}$/u.exec(move)?.[1] ?? ""));
  return moves.length > 1 && verbs.size === 1 ? [...verbs][0] : "";
}

/** Return the seats of a game that is over, best first, each with its place: as the server says, else by the scores. */
export function finals({ over, picture }) {
  const scored = picture ? places(picture) : [];
  if (!over?.rank?.length) return scored;
  const better = (seat, other) => over.scores[other] > over.scores[seat];
  return over.rank.map((seat) => ({ seat, text: scored.find((one) => one.seat === seat)?.text ?? `${over.scores[seat]}`,
    place: 1 + over.rank.filter((other) => better(seat, other)).length }));
}

/** Return the seats in order of their scores, best first, each with its place; [] if the picture has no scores. */
export function places(picture) {
  const column = picture.columns.findIndex((one) => one.leads);
  if (column < 0) return [];
  const scores = picture.seats.map((one) => ({ seat: one.seat, score: Number(one.values[column]) || 0, text: one.values[column] }));
  const sorted = scores.toSorted((one, other) => other.score - one.score);
  return sorted.map((one) => ({ ...one, place: 1 + sorted.filter(({ score }) => score > one.score).length }));
}
