// Which draws and proofs an export must have, as /help seal-rows and seal-closed list them and scripts/verify-game derives them. Each
// function returns what is wrong as { why, ...about }, or null.

import { json } from "./commitments.js";

const DICE = 5, SIDES = 6, LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"], DIGITS = [..."0123456789"];
const PLAYED = ["Start", "Moved", "Expired", "Joined", "Left"], STREETS = { draw: 2, stud7: 5, holdem: 4 };
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
    } else if (PLAYED.includes(act.is)) {
      const move = act.move ?? act;
      kept = [...kept, { entry, seat: act.seat, kind: move.is, move }];
    }
  }
  yield { since, moves: kept };
}

// draws

const DERIVED = {
  ohell: ohellDraws, wizard: wizardDraws, liarsdice: diceDraws, liedie: diceDraws, liarspoker: slipDraws, liarslair: lairDraws,
};

/** Return what is wrong with the draw rows: they must be those that the moves make, in their order. */
export function wrongDraws({ header, acts, draws }, seats, packs) {
  if (header.game === "lilypoker") return wrongHands({ header, acts, draws }, seats, packs.lilypoker);
  const derive = DERIVED[header.game];
  if (!derive) return null;
  let place = 0;
  for (const { since, moves } of stretches(acts)) {
    for (const { due, needed } of moves.length ? derive(header, seats, moves, packs) : []) {
      if (due[0].entry <= since) continue;
      const fits = due.every((one, at) => isDue(one, draws[place + at]));
      if (!fits && needed) return { why: "missingDraw", entry: due[0].entry, purpose: due[0].purpose.map(String).join(" ") };
      if (fits) place += due.length;
    }
  }
  if (place < draws.length) return { why: "extraDraw" };
  return header.game === "liarslair" ? wrongLair(header, draws, seats) : null;
}

/** Return whether a row has the draws that are due. As the last call, ANY stands for any others. */
function isDue({ entry, purpose, calls }, row) {
  const more = calls.at(-1) === ANY, wanted = more ? calls.slice(0, -1) : calls;
  if (!row || row.draws.length < wanted.length || (!more && row.draws.length > wanted.length)) return false;
  return isLike([entry, "luck", ...purpose], [row.seq, ...row.key]) && wanted.every((call, at) => isLike(call, row.draws[at]));
}

function isLike(wanted, given) {
  return given.length === wanted.length && wanted.every((one, at) => one === ANY || json(one) === json(given[at]));
}

/** Return one row of draws that is needed. */
const single = (entry, purpose, ...calls) => ({ due: [{ entry, purpose, calls }], needed: true });

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
    yield single(start, ["first"], ["pick", everyone(seats), null, ANY]);
  }
  if (!sizes.length) return;
  const decks = options.decks === "auto" ? Math.ceil((seats * Math.max(...sizes) + 1) / 52) : options.decks;
  const pack = upTo(decks).flatMap(() => packs.ohell);
  const opened = moves.find((one) => one.kind === "ChooseMax")?.entry ?? start;
  for (const [place, entry] of dealEntries(opened, sizes, seats, moves).slice(0, sizes.length).entries()) {
    yield single(entry, ["deal", place + 1], ["shuffle", pack, ANY]);
  }
}

function* wizardDraws(header, seats, moves, packs) {
  const sizes = sizesOf(header, seats, moves, packs), start = moves[0].entry;
  if (header.options.order === "random") {
    yield single(start, ["order"], ["shuffle", everyone(seats), ANY]);
  }
  const entries = dealEntries(start, sizes, seats, moves);
  for (const [place, entry] of entries.slice(0, sizes.length).entries()) {
    yield single(entry, ["deal", place + 1], ["shuffle", packs.wizard, ANY]);
  }
  if (entries.length > sizes.length) {
    yield { due: [{ entry: entries.at(-1), purpose: ["coin"], calls: [["pick", everyone(seats), ANY, ANY]] }], needed: false };
  }
}

/** Yield five dice at the start and after each challenge, then one for each place in Roll. The next move tells whose. */
function* diceDraws(header, seats, moves) {
  const { first } = header.options;
  let number = 1, rolls = new Map();
  const mover = (place) => moves[place + 1]?.seat ?? ANY;
  if (first === "random") {
    yield single(moves[0].entry, ["first"], ["pick", everyone(seats), null, mover(0)]);
  }
  for (const [place, { entry, seat, kind, move }] of moves.entries()) {
    const opens = kind === "Start" || kind === "Challenge";
    if (!opens && kind !== "Roll") continue;
    if (kind === "Challenge") number += 1;
    const roller = opens ? mover(place) : seat, more = opens ? goesOn(header, number - 1) : true;
    if (more === false) return;
    const opener = first === "turns" ? (number - 1) % seats : first === "host" && number === 1 ? 0 : ANY;
    if (opens && roller !== ANY && opener !== ANY && opener !== roller) {
      yield single(entry, ["roll", number, opener, 1, 1], ["roll", SIDES, ANY]);
    }
    if (opens) rolls = new Map();
    rolls.set(roller, (rolls.get(roller) ?? 0) + 1);
    const due = (opens ? upTo(DICE) : move.places)
      .map((die) => ({ entry, purpose: ["roll", number, roller, rolls.get(roller), die], calls: [["roll", SIDES, ANY]] }));
    if (due.length) yield { due, needed: !opens || roller !== ANY || more === true };
  }
}

/** Return whether another round follows that many challenges; null if it depends on who has won them. */
function goesOn({ game, options }, challenges) {
  if (game === "liedie") return challenges < options.games;
  if (challenges >= options.max_rounds) return false;
  return options.points === "none" || challenges < options.points ? true : null;
}

/** Liar's Poker: who chooses first and opens, if it is drawn; then slips or bills, by seat or by place in the pile. */
function* slipDraws({ options }, seats, moves) {
  const [{ entry: start, move }] = moves, all = everyone(seats);
  const purses = all.map((seat) => move.purses?.[seat] ?? 0), lowest = all.filter((seat) => purses[seat] === Math.min(...purses));
  if (lowest.length > 1) yield single(start, ["chooser"], ["pick", all, lowest, ANY]);
  if (options.opener === "random") yield single(start, ["opener"], ["pick", all, null, ANY]);
  const slips = options.numbers === "slips";
  const calls = [LETTERS, LETTERS, ...upTo(8 * (slips ? 15 : 1)).map(() => DIGITS)].map((items) => ["choice", items, ANY]);
  let hand = 0, held = [], played = 0;
  for (const { entry, players } of bidHands(options, seats, moves)) {
    hand += 1;
    const laid = !played && options.choose === "manual", fresh = players.filter((seat) => !played || !held.includes(seat));
    for (const place of laid ? upTo(players.length) : fresh) yield single(entry, [laid ? "pile" : "slip", hand, place], ...calls);
    held = players;
    played = slips ? (played + 1) % 10 : 0;
  }
}

/** Yield the entry that begins each hand of Liar's Poker, and its players, who sat when the hand before ended. */
function* bidHands(options, seats, [start, ...moves]) {
  let sitting = everyone(seats), players = sitting, hands = 1, bidder = null, challenges = 0, final = false;
  yield { entry: start.entry, players };
  for (const { entry, seat, kind, move } of moves) {
    if (kind === "Joined") sitting = [...new Set([...sitting, seat])].sort((one, other) => one - other);
    else if (kind === "Left") sitting = sitting.filter((one) => one !== seat);
    else if (kind === "Bid") {
      final = seat === bidder || !options.rebid || (move.count === 8 * players.length && move.rank === 10);
      bidder = seat;
      challenges = 0;
    }
    if (kind === "Challenge") challenges += 1;
    if (kind === "Stand" || (kind === "Challenge" && final && challenges === players.length - 1)) {
      hands += 1;
      players = sitting;
      bidder = null;
      if (hands > options.hands || players.length < 2) return;
      yield { entry, players };
    }
  }
}

/** Liar's Lair: statements, which of each pair is true, who gets them, their numbers; then who starts. */
function* lairDraws({ options }, seats, moves) {
  const start = moves[0].entry, all = everyone(seats);
  for (const [purpose, ...calls] of lairDeal(options, seats)) yield single(start, purpose, ...calls);
  const answers = options.volunteer ? moves.slice(1, 1 + seats) : [];
  if (options.volunteer && answers.length < seats) return;
  const offered = answers.filter((one) => one.kind === "Volunteer").map((one) => one.seat).sort((one, other) => one - other);
  const first = moves[1 + answers.length]?.seat ?? ANY;
  yield single(answers.at(-1)?.entry ?? start, ["starter"], ["pick", all, offered.length ? offered : all, first]);
}

/** Yield the purpose and the calls of each row of a deal of Liar's Lair. The page doesn't know the statements. */
function* lairDeal(options, seats) {
  const pairs = seats * options.each + options.spare, shuffled = ["shuffle", ANY, ANY], chosen = ["choice", ANY, ANY];
  const made = options.cards === "generated" && !options.pairs.length, about = options.characters;
  const places = everyone(pairs);
  if (about !== "off") {
    yield [["cast"], shuffled];
    for (const seat of everyone(seats)) {
      const share = made ? places.filter((place) => place % seats === seat) : [];
      yield [["about", seat + 1], shuffled, ...share.map(() => chosen)];
    }
    yield [["mix"], shuffled];
  } else if (made) {
    yield [["subjects"], shuffled];
    for (const number of upTo(pairs)) yield [["made", number], chosen, chosen];
  } else yield [["pairs"], ["shuffle", options.pairs.length ? options.pairs : ANY, ANY]];
  for (const number of upTo(pairs)) yield [["truth", number], ["coin", ANY]];
  if (options.deal === "random") {
    yield [["sides"], ["shuffle", [true, false].flatMap((isTrue) => places.map((pair) => [pair, isTrue])), ANY]];
  } else {
    const own = { "own-truths": "truths", "own-lies": "lies", secret: "lies" }[about];
    for (const kind of ["truths", "lies"]) yield [[kind], ["shuffle", places, ANY], ...(own && own !== kind ? [ANY] : [])];
  }
  yield [["numbers"], shuffled];
}

/** Check that the cards of Liar's Lair that are numbered are those that were dealt, if nobody's own statements matter. */
function wrongLair({ options }, draws, seats) {
  const drawn = Object.fromEntries(draws.map((row) => [row.key[1], row.draws[0]])), { each } = options;
  if (!drawn.numbers || !["off", "related"].includes(options.characters)) return null;
  const sorted = (seat) => [["truths", true], ["lies", false]]
    .flatMap(([kind, isTrue]) => drawn[kind].at(-1).slice(seat * each, (seat + 1) * each).map((pair) => [pair, isTrue]));
  const dealt = drawn.sides?.at(-1) ?? everyone(seats).flatMap(sorted);
  const given = dealt.slice(0, 2 * each * seats).map((card, place) => [Math.floor(place / (2 * each)), ...card]);
  return json(drawn.numbers[1]) === json(given) ? null : { why: "missingDraw", entry: draws[0].seq, purpose: "numbers" };
}

// poker: when a hand ends depends on its chips, so the rows tell, and the moves between two deals must be one hand's

function wrongHands({ header, acts, draws }, seats, deck) {
  const entries = new Set(), places = draws.map((row) => row.seq);
  for (const { moves } of stretches(acts)) {
    const kept = new Set(moves.map((one) => one.entry));
    for (const entry of kept) entries.add(entry);
    const wrong = moves.length ? wrongStretch(header, seats, moves, draws.filter((row) => kept.has(row.seq)), deck) : null;
    if (wrong) return wrong;
  }
  const fits = places.every((place, at) => entries.has(place) && (!at || places[at - 1] <= place));
  return fits ? null : { why: "extraDraw" };
}

/** Check the rows of the moves from the start to an undo or to the end. */
function wrongStretch({ options }, seats, moves, [first, ...rows], deck) {
  const start = moves[0], all = everyone(seats);
  const able = all.filter((seat) => start.move.purses?.[seat] ?? options.buyin);
  const dealer = { entry: start.entry, purpose: ["dealer"], calls: [["pick", all, able, ANY]] };
  if (!isDue(dealer, first)) return { why: "missingDraw", entry: start.entry, purpose: "dealer" };
  const deals = rows.filter((row) => row.key[1] === "deal"), again = rows.filter((row) => row.key[1] === "reshuffle");
  for (const [place, row] of deals.entries()) {
    const purpose = ["deal", place + 1];
    if (!isDue({ entry: row.seq, purpose, calls: [["shuffle", deck, ANY]] }, row)) return missing(row.seq, place + 1);
  }
  const chosen = moves.filter((one) => one.kind === "Choose"), isChoice = options.variant === "choice";
  const opened = isChoice ? json(deals.map((row) => row.seq)) === json(chosen.map((one) => one.entry)) : deals[0]?.seq === start.entry;
  if (!opened) return missing(start.entry, 1);
  if (deals.length + again.length < rows.length) return { why: "extraDraw" };
  for (const [place, row] of deals.entries()) {
    const end = deals[place + 1]?.seq ?? moves.at(-1).entry, variant = isChoice ? chosen[place].move.variant : options.variant;
    const played = moves.filter((one) => row.seq < one.entry && one.entry <= end && one.kind !== "Choose");
    if (!isOneHand(variant, played)) return missing(end, place + 2);
    if (!isDealtTo(place + 1, row.draws[0].at(-1), played, again, deck)) return { why: "hand", number: place + 1 };
  }
  return null;
}

const missing = (entry, number) => ({ why: "missingDraw", entry, purpose: `deal ${number}` });
const SEATING = ["Joined", "Left"], ENDING = ["Show", "Muck"];

/** Return whether moves can be one hand's: nobody moves after folding, and there are no more streets than it has. */
function isOneHand(variant, played) {
  const out = new Set(), drew = new Set();
  let acted = new Set(), street = 1, bet = false, shown = false;
  for (const { seat, kind } of played) {
    if (SEATING.includes(kind)) {
      if (kind === "Left") out.add(seat);
      continue;
    }
    if (out.has(seat) || (shown && !ENDING.includes(kind))) return false;
    if (ENDING.includes(kind)) shown = true;
    else if (kind === "Discard") {
      if (variant !== "draw" || drew.has(seat)) return false;
      drew.add(seat);
      acted = new Set();
      street = 2;
      bet = false;
    } else {
      if (acted.has(seat) || (bet && ["Bet", "Check"].includes(kind))) {
        if (street >= STREETS[variant] || variant === "draw") return false;
        acted = new Set();
        street += 1;
        bet = false;
      }
      const raised = ["Bet", "Raise"].includes(kind);
      acted = new Set(raised ? [seat] : [...acted, seat]);
      bet ||= raised;
    }
    if (["Fold", ...ENDING].includes(kind)) out.add(seat);
  }
  return true;
}

/** Return whether each discarded card was in a hand, for some number of players, and each reshuffle was due. */
function isDealtTo(number, pack, played, again, deck) {
  const least = Math.max(2, new Set(played.filter((one) => !SEATING.includes(one.kind)).map((one) => one.seat)).size);
  const discards = played.filter((one) => one.kind === "Discard"), shuffles = again.filter((row) => row.key[2] === number);
  for (let players = least; players <= 10; players += 1) if (isStockOf(players, number, pack, discards, shuffles, deck)) return true;
  return false;
}

function isStockOf(players, number, pack, discards, shuffles, deck) {
  let stock = pack.length - 5 * players, last = -1, used = 0;
  for (const { entry, move } of discards) {
    const found = move.cards.map((card) => pack.indexOf(card)), mine = new Set(found.map((at) => at % players));
    if (mine.size > 1 || found.some((at) => at >= 5 * players) || [...mine].some((place) => place <= last)) return false;
    last = Math.max(last, ...mine);
    if (stock < found.length) {
      const due = { entry, purpose: ["reshuffle", number, used + 1], calls: [["order", deck, ANY, ANY]] };
      if (!isDue(due, shuffles[used])) return false;
      stock += shuffles[used].draws[0].at(-1).length;
      used += 1;
    }
    stock -= found.length;
  }
  return used === shuffles.length;
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
