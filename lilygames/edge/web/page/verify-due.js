// Which draws and proofs an export must have, as /help seal-rows and seal-closed list them and scripts/verify-game derives them. Each
// function returns what is wrong as { why, ...about }, or null.

import { json } from "./commitments.js";

const DICE = 5, SIDES = 6;
const ANY = Symbol("a part of a draw that doesn't follow from the moves");

/**
 * Yield what was played up to each undo, and to the end: the entry where that stretch begins, and the moves kept. An
 * undo goes back to before the last move that came right after its entry `to`, or earlier.
 */
export function* stretches(acts) {
  let kept = [], since = 0;
  for (const [place, act] of acts.entries()) {
    const entry = place + 1;
    if (act.is.startsWith("Undone")) {
      yield { since, moves: kept };
      kept = kept.slice(0, Math.max(0, kept.findLastIndex((one) => one.entry <= act.to + 1)));
      since = entry;
    } else if (["Start", "Moved", "Expired"].includes(act.is)) {
      const move = act.move ?? act;
      kept = [...kept, { entry, seat: act.seat, kind: move.is, move }];
    }
  }
  yield { since, moves: kept };
}

// draws

const DERIVED = { ohell: ohellDraws, wizard: wizardDraws, liarsdice: diceDraws, liedie: diceDraws };

/** Return what is wrong with the draw rows: they must be those that the moves make, in their order. */
export function wrongDraws({ header, acts, draws }, seats, packs) {
  const derive = DERIVED[header.game];
  if (!derive) return header.game === "lilypoker" ? wrongDeals(draws, packs.lilypoker) : null;
  let place = 0;
  for (const { since, moves } of stretches(acts)) {
    for (const { due, needed } of moves.length ? derive(header, seats, moves, packs) : []) {
      if (due[0].entry <= since) continue;
      const fits = due.every((one, at) => isDue(one, draws[place + at]));
      if (!fits && needed) return { why: "missingDraw", entry: due[0].entry, purpose: due[0].purpose.map(String).join(" ") };
      if (fits) place += due.length;
    }
  }
  return place === draws.length ? null : { why: "extraDraw" };
}

function isDue({ entry, purpose, call }, row) {
  if (row?.draws.length !== 1) return false;
  const given = [row.seq, ...row.key, ...row.draws[0]], wanted = [entry, "luck", ...purpose, ...call];
  return given.length === wanted.length && wanted.every((one, at) => one === ANY || json(one) === json(given[at]));
}

const everyone = (seats) => Array.from({ length: seats }, (_, seat) => seat);
const upTo = (most) => Array.from({ length: Math.max(0, most) }, (_, place) => place + 1);

/** Return the hand sizes of Ohell (1 up to the largest and back to 1; none before it is chosen) or of Wizard. */
export function sizesOf({ game, options }, seats, moves, packs) {
  if (game === "wizard") return upTo(options.rounds === "all" ? Math.floor(packs.wizard.length / seats) : options.rounds);
  const chosen = moves.find((one) => one.kind === "ChooseMax")?.move.cards;
  const largest = options.max === "ask" ? chosen : options.max;
  return largest ? [...upTo(largest), ...upTo(largest - 1).reverse()] : [];
}

/** Return the entry of each deal, and of the end: the next deal comes with the last card of the one before. */
function dealEntries(start, sizes, seats, moves) {
  const plays = moves.filter((one) => one.kind === "Play").map((one) => one.entry), entries = [start];
  let played = 0;
  for (const size of sizes) {
    played += size * seats;
    if (played > plays.length) break;
    entries.push(plays[played - 1]);
  }
  return entries;
}

function* ohellDraws(header, seats, moves, packs) {
  const { options } = header, sizes = sizesOf(header, seats, moves, packs), start = moves[0].entry;
  if (options.first_dealer === "random") {
    yield { due: [{ entry: start, purpose: ["first"], call: ["pick", everyone(seats), null, ANY] }], needed: true };
  }
  if (!sizes.length) return;
  const decks = options.decks === "auto" ? Math.ceil((seats * Math.max(...sizes) + 1) / 52) : options.decks;
  const pack = upTo(decks).flatMap(() => packs.ohell);
  const opened = moves.find((one) => one.kind === "ChooseMax")?.entry ?? start;
  for (const [place, entry] of dealEntries(opened, sizes, seats, moves).slice(0, sizes.length).entries()) {
    yield { due: [{ entry, purpose: ["deal", place + 1], call: ["shuffle", pack, ANY] }], needed: true };
  }
}

function* wizardDraws(header, seats, moves, packs) {
  const sizes = sizesOf(header, seats, moves, packs), start = moves[0].entry;
  if (header.options.order === "random") {
    yield { due: [{ entry: start, purpose: ["order"], call: ["shuffle", everyone(seats), ANY] }], needed: true };
  }
  const entries = dealEntries(start, sizes, seats, moves);
  for (const [place, entry] of entries.slice(0, sizes.length).entries()) {
    yield { due: [{ entry, purpose: ["deal", place + 1], call: ["shuffle", packs.wizard, ANY] }], needed: true };
  }
  if (entries.length > sizes.length) {
    yield { due: [{ entry: entries.at(-1), purpose: ["coin"], call: ["pick", everyone(seats), ANY, ANY] }], needed: false };
  }
}

/** Yield five dice at the start and after each challenge, then one for each place in Roll. The next move tells whose. */
function* diceDraws(header, seats, moves) {
  const { first } = header.options;
  let number = 1, rolls = new Map();
  const mover = (place) => moves[place + 1]?.seat ?? ANY;
  if (first === "random") {
    yield { due: [{ entry: moves[0].entry, purpose: ["first"], call: ["pick", everyone(seats), null, mover(0)] }], needed: true };
  }
  for (const [place, { entry, seat, kind, move }] of moves.entries()) {
    const opens = kind === "Start" || kind === "Challenge";
    if (!opens && kind !== "Roll") continue;
    if (kind === "Challenge") number += 1;
    const roller = opens ? mover(place) : seat, more = opens ? goesOn(header, number - 1) : true;
    if (more === false) return;
    const opener = first === "turns" ? (number - 1) % seats : first === "host" && number === 1 ? 0 : ANY;
    if (opens && roller !== ANY && opener !== ANY && opener !== roller) {
      yield { due: [{ entry, purpose: ["roll", number, opener, 1, 1], call: [] }], needed: true };
    }
    if (opens) rolls = new Map();
    rolls.set(roller, (rolls.get(roller) ?? 0) + 1);
    const due = (opens ? upTo(DICE) : move.places)
      .map((die) => ({ entry, purpose: ["roll", number, roller, rolls.get(roller), die], call: ["roll", SIDES, ANY] }));
    if (due.length) yield { due, needed: !opens || roller !== ANY || more === true };
  }
}

/** Return whether another round follows that many challenges; null if it depends on who has won them. */
function goesOn({ game, options }, challenges) {
  if (game === "liedie") return challenges < options.games;
  if (challenges >= options.max_rounds) return false;
  return options.points === "none" || challenges < options.points ? true : null;
}

/** Poker's hands are dealt in order, each from a whole pack. */
function wrongDeals(draws, deck) {
  const dealt = draws.filter((row) => row.key[1] === "deal");
  const odd = dealt.find((row) => json(row.draws[0][1]) !== json(deck));
  if (odd) return { why: "pack", entry: odd.seq, purpose: odd.key.slice(1).join(" ") };
  const hands = [...new Set(dealt.map((row) => row.key[2]))];
  return json(hands) === json(upTo(hands.length)) ? null : { why: "extraDraw" };
}

// proofs of a closed game: `proved` has { purpose, item, place, value } of each, in the order of the file

/** Return what is wrong with the proofs of cards: each card seen needs one, up to the next hand, reshuffle or undo. */
export function wrongCards({ entries, whole }, proved, deck, marked) {
  const told = new Set(), given = proved.map((one) => ({ hand: one.purpose[1], place: one.place, card: one.value }));
  const key = ({ hand, card }) => `${hand} ${card}`;
  let from = 0;
  for (const { hand, shown } of handsShown(entries, whole)) {
    if (marked(hand)) continue;
    const due = [...shown].filter((card) => deck.includes(card)).map((card) => key({ hand, card })).filter((one) => !told.has(one));
    for (const one of due) told.add(one);
    if (!whole) continue;
    const some = given.slice(from, from + due.length);
    from += due.length;
    const inOrder = some.every((one, at) => !at || some[at - 1].place < one.place);
    if (!inOrder || json(some.map(key).sort()) !== json(due.sort())) return { why: "missingProof", what: `hand ${hand}` };
  }
  if (whole) return from === given.length ? null : { why: "extraProof" };
  const known = new Set(given.map(key)), missing = [...told].find((one) => !known.has(one));
  return missing ? { why: "missingProof", what: `hand ${missing}` } : null;
}

function handsShown(entries, whole) {
  const hands = [];
  let now = null;
  for (const { act = { is: "" }, seen = [] } of entries) {
    if (act.is.startsWith("Undone") || seen.some((event) => event.is === "Reshuffled")) now = null;
    if (!whole && act.is === "Left") now = null;
    if (!whole && act.is === "Start") hands.push(now = { hand: 1, shown: new Set() });
    for (const event of seen) {
      if (event.is === "HandBegun") hands.push(now = { hand: event.number, shown: new Set() });
      if (now) for (const text of textsIn(event)) now.shown.add(text);
    }
  }
  return hands;
}

function* textsIn(value) {
  if (typeof value === "string") yield value;
  else if (value && typeof value === "object") for (const one of Object.values(value)) yield* textsIn(one);
}

/** Return what is wrong with the proofs of numbers: each number seen needs one, unless it was drawn twice. */
export function wrongNumbers({ entries, acts, whole }, proved, equal, unproven) {
  const shown = new Set(entries.flatMap((row) => [...textsIn(row.seen)]).filter((text) => /^\d{8}$/u.test(text)));
  const numbers = proved.map((one) => one.value), known = new Set([...numbers, ...equal]);
  if (known.size < numbers.length + equal.length) return { why: "twice" };
  const missing = [...shown].find((one) => !known.has(one));
  if (missing && !unproven) return { why: "missingProof", what: missing };
  if (!whole) return null;
  if ([...known].some((one) => !shown.has(one))) return { why: "extraProof" };
  if (acts.some((act) => act.is.startsWith("Undone"))) return null;
  const places = proved.map((one) => [one.purpose[1], one.purpose[2], one.item]);
  return places.every((one, at) => !at || follows(places[at - 1], one)) ? null : { why: "extraProof" };
}

function follows(before, one) {
  const at = one.findIndex((part, place) => part !== before[place]);
  return at >= 0 && before[at] < one[at];
}

/** Return what is wrong with the proofs of facts: each text, mark and seat that was told needs one, with its value. */
export function wrongFacts({ entries, whole }, proved) {
  const values = new Map(proved.map((one) => [json([one.purpose[1], one.item]), one.value])), told = new Set();
  for (const row of entries) {
    for (const [card, what, value] of (row.seen ?? []).flatMap(factsTold)) {
      const name = json([card, what]);
      told.add(name);
      if (!values.has(name) || json(values.get(name)) !== json(value)) return { why: "shown", entry: row.seq };
    }
  }
  return whole && json([...values.keys()]) !== json([...told]) ? { why: "extraProof" } : null;
}

const TEXT = ["CardPlayed", "CardDiscarded", "CardReclaimed", "CardTaken"];

/** Return the facts of cards that an event tells: card, "text", "mark" or "seat", and value. */
function factsTold(event) {
  const { is, card, cards } = event;
  if (is === "Dealt") return cards.flatMap(([n, text, mark]) => [[n, "text", text], [n, "mark", mark], [n, "seat", event.seat]]);
  if (is === "Contradicted") {
    const sides = [[...event.truth, true], [...event.lie, false]];
    return sides.flatMap(([n, text, mark]) => [[n, "text", text], [n, "mark", mark]]);
  }
  if (is === "HandShown" || is === "Declared") return cards.map(([n, text]) => [n, "text", text]);
  if (is === "CardExposed" && card) return [[card[0], "text", card[1]], [card[0], "mark", event.effect !== "lie"]];
  return TEXT.includes(is) && card ? [[card[0], "text", card[1]]] : [];
}
