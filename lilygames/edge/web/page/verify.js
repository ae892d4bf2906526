// Checks an exported game in the browser by /help seal-bytes alone, without the rules and without asking the server.
// It follows scripts/verify-game. What it finds are values; verify-words.js says them.

import { canonical, hex, json, parsed, unhex } from "./commitments.js";
import { hmac, joined, sha256 } from "./sha256.js";
import { sizesOf, stretches, wrongCards, wrongDraws, wrongFacts, wrongNumbers } from "./verify-due.js";

const SUITS = [..."CDHS"], RANKS = [2, 3, 4, 5, 6, 7, 8, 9, 10, "J", "Q", "K", "A"];
const DECK = SUITS.flatMap((suit) => RANKS.map((rank) => `${rank}${suit}`));
const PACKS = { ohell: DECK, wizard: [...DECK, ..."WWWWJJJJ"], lilypoker: DECK };
const KINDS = ["link", "key", "proof", "unproven", "end"], WITH_END = 4;
const LINKED = ["header", "link", "act", "seen", "told", "names", "set_names"];
const SLIPS = ["slip", "pile"].flatMap((kind) => count(16).flatMap((place) => count(15).map((line) => [kind, place, line + 1])));
const BEFORE_START = ["Seated", "Cut", "Committed", "Sealing", "Rooted"], IN_PLAY = ["Committed", "Sealing", "Rooted"];
const BREATH = 200;

/** What differs: a code for verify-words.js, and facts such as the entry. */
class Difference extends Error {
  constructor(why, about = {}) {
    super(why);
    this.why = why;
    this.about = about;
  }
}

function check(fits, why, about) {
  if (!fits) throw new Difference(why, about);
}

/**
 * Return what the lines of an export show, as { checks, closed, sealedBy, code, voids }. Each check is { what, state,
 * why, about }; its state is "fits", "differs", or "skipped" after a difference. `receipts` are those of this browser.
 */
export async function verify(lines, receipts = []) {
  const result = { checks: [], closed: false, unsealed: "", sealedBy: [], code: "", voids: [] };
  const log = {};
  for (const [what, step] of steps(lines, receipts, log, result)) {
    const failed = result.checks.some((one) => one.state === "differs");
    result.checks.push(failed && what !== "receipts" ? { what, state: "skipped" } : await checked(what, step));
  }
  return result;
}

async function checked(what, step) {
  try {
    return { what, state: "fits", about: (await step()) ?? {} };
  } catch (problem) {
    if (problem instanceof Difference) return { what, state: "differs", why: problem.why, about: problem.about };
    return { what, state: "differs", why: "form", about: {} };
  }
}

function* steps(lines, receipts, log, result) {
  yield ["export", () => learn(log, read(lines))];
  result.unsealed = log.unsealed ?? "";
  if (!log.header || log.unsealed) return;
  const { header, acts, draws } = log;
  result.closed = Boolean(header.sealed);
  yield ["links", () => {
    const found = links(log);
    ends(log);
    return found;
  }];
  yield ["names", () => names(log)];
  if (header.lesson) {
    result.unsealed = "lesson";
    return;
  }
  yield ["rounds", () => learn(log, rounds(header, acts), { secret: acts.at(-1)?.secret ?? "" })];
  if (header.duplicate) yield ["set", () => learn(log, wholeSet(log))];
  tell(log, result);
  if (result.closed) {
    yield ["proofs", () => proofs(log, rootAtStart(acts))];
  } else {
    yield ["secret", () => check(digest("seal", log.secret) === log.seal, "secret")];
    yield ["draws", async () => {
      const found = await drawn(log.dealt, draws, unhex(log.secret));
      fits(wrongDraws(log, seatsOf(log), PACKS));
      return found;
    }];
    if (["ohell", "wizard"].includes(header.game)) yield ["hands", () => hands(log, seatsOf(log))];
  }
  if (log.table) yield ["receipts", () => checkReceipts(log, receipts)];
}

/** Keep what a step found for the steps after it. */
function learn(log, ...found) {
  Object.assign(log, ...found);
}

/** Throw the difference that a function of verify-due.js has found, if any. */
function fits(wrong) {
  if (wrong) throw new Difference(wrong.why, wrong);
}

const seatsOf = ({ dealt }) => dealt[0]?.sealed.seats.length ?? 0;

function tell(log, result) {
  const last = log.dealt?.at(-1);
  result.code = last?.digest ?? "";
  result.sealedBy = (last?.names ?? []).map((one) => log.known.get(one) ?? one);
  result.voids = (log.voids ?? []).map(({ round, missing }) => ({ round, missing: missing.map((one) => log.known.get(one) ?? one) }));
}

// the export

function read(lines) {
  const [first, ...rows] = lines.filter((line) => line.trim() && !line.startsWith("(")).map(parsed);
  const { header } = first;
  const earlier = header.ids || !header.fairness ? 3 : 2;
  check(first.lilygames === earlier || (header.fairness && first.lilygames === WITH_END), "format");
  if (!header.fairness) return { header, unsealed: "lesson" };
  check(header.fairness === 2, "format");
  const kinds = rows.map((row) => KINDS.filter((kind) => kind in row));
  check(kinds.every((found) => found.length === 1), "kind");
  const places = kinds.map(([kind]) => KINDS.indexOf(kind));
  check(places.every((place, at) => !at || places[at - 1] <= place), "order");
  const [entries, draws, shown, marks, last] = KINDS.map((kind) => rows.filter((row) => kind in row));
  check(entries.every((row, place) => row.seq === place + 1 && ["Body", undefined].includes(row.is)), "order");
  const acts = entries.map((row) => row.act ?? { is: "Moved" }), known = new Map();
  const played = acts.map((act) => act.is).filter((kind) => kind !== "Forgotten");
  check(played.indexOf("Closed") === played.length - 1 && played.length, "end");
  return { first, header, rows, entries, acts, draws, shown, marks, last, known, whole: first.lilygames === WITH_END };
}

/** Check the last row: how many rows of each kind there are, and a sum over what no link covers but the names. */
function ends({ first, rows, entries, draws, shown, marks, last, whole }) {
  check(last.length === Number(whole), "end");
  if (!whole) return;
  const counts = [entries, draws, shown, marks].map((some) => some.length);
  const unlinked = [first, ...rows.slice(0, -1)].map((row) => Object.fromEntries(Object.entries(row).filter(([field]) => !LINKED.includes(field))));
  check(same(last[0], { end: counts, sum: digest("end", (entries.at(-1) ?? first).link, unlinked) }), "end");
}

function links({ first, header, entries }) {
  let link = digest("header", header);
  check(first.link === link, "header");
  entries.forEach((row, place) => {
    const said = ["act", "seen"].filter((field) => field in row).map((field) => row[field]);
    link = digest("entry", link, place + 1, ...said, row.told ?? "");
    check(row.link === link, "link", { entry: place + 1 });
  });
  return { count: entries.length };
}

function names({ first, known }) {
  for (const [id, name, salt] of [...(first.names ?? []), ...(first.set_names ?? [])]) {
    check(digest("seat", name, salt).slice(0, 32) === id, "name", { name });
    known.set(id, name);
  }
  return { count: known.size };
}

const rootAtStart = (acts) => acts.filter((act) => act.is === "Start").map((act) => act.root ?? "").join("");

// rounds: what was sealed, committed and revealed, in the order of the log

function rounds(header, acts) {
  if (header.keyed) return { dealt: [], seal: "", voids: [], logged: new Map() };
  const table = header.duplicate ? digest("duplicate", header.duplicate, header.game, header.version, header.seal)
    : digest("table", header.number, header.game, header.version, header.seal);
  const now = new Rounds(header, table);
  acts.forEach((act, place) => now.read(act, place + 1));
  return { dealt: now.dealt, seal: now.seal, voids: now.voids, logged: now.logged, table };
}

const owner = (who) => [who.name, who.level, who.gone ? "" : who.level ? who.stands_in : who.name];

class Rounds {
  constructor(header, table) {
    Object.assign(this, { header, table, seal: header.seal, root: header.root ?? "", number: 1, first: 1, sealed: null });
    Object.assign(this, { seats: [], words: [], commits: new Map(), names: [], nonces: new Map(), joins: [] });
    Object.assign(this, { dealt: [], took: [], voids: [], logged: new Map() });
  }

  read(act, entry) {
    const late = this.dealt.length ? IN_PLAY : BEFORE_START;
    check(!(this.sealed && late.includes(act.is)), "late", { entry });
    this[`take${act.is}`]?.(act, entry);
    const joined = this.sealed && this.joins.length && act.is === "Joined" && this.joins[0][0] === act.who.name;
    const renewed = this.dealt.length && this.sealed && !this.joins.length && this.complete;
    if (act.is === "Start" || joined || renewed) this.deal(entry);
  }

  get complete() {
    return this.names.every((name) => this.nonces.has(name)) && this.nonces.size === this.names.length;
  }

  deal(entry) {
    check(this.sealed && this.complete, "unrevealed", { entry });
    const code = digest("sealing", this.table, this.sealed);
    const nonces = this.names.map((name) => this.nonces.get(name));
    const { table, sealed, names: who, first } = this;
    this.dealt.push({ entry, sealed, table, digest: code, nonces, names: who, first });
    this.took = this.names;
    this.next();
  }

  next() {
    this.number += 1;
    this.sealed = null;
    this.commits = new Map();
  }

  takeSeated({ seat, who }) {
    if (who) this.seats.splice(seat, this.dealt.length ? 1 : 0, owner(who));
    else this.seats.splice(seat, 1);
  }

  takeJoined({ who }) {
    this.seats.push(owner(who));
  }

  takeLeft({ seat }) {
    this.seats[seat][2] = "";
  }

  takeCut({ seat, word }) {
    this.words.push([this.seats[seat][0], word]);
  }

  takeCommitted({ name, commit }) {
    this.commits.set(name, commit);
  }

  takeRooted({ root, first }, entry) {
    check(this.dealt.length && this.root && first > this.first, "root", { entry });
    this.number += 1;
    this.commits = new Map();
    this.root = root;
    this.first = first;
  }

  takeSealing({ sealing: { is: _, ...sealed } }, entry) {
    const { header } = this;
    if ("by" in header) {
      this.seats = sealed.seats.map((who) => [...who, ""]);
      this.words = "beacon" in header ? sealed.words : [];
    }
    this.sealed = sealed;
    this.names = sealed.commits.map(([name]) => name);
    this.nonces = new Map();
    this.joins = sealed.seats.slice(this.seats.length);
    const said = {
      round: this.number, seal: this.seal, root: this.root, options: header.options, words: this.words,
      seats: [...this.seats.map((who) => who.slice(0, 2)), ...this.joins],
      commits: this.names.map((name) => [name, this.commits.get(name) ?? null]),
    };
    for (const [field, value] of Object.entries(said)) check(same(sealed[field], value), "sealing", { entry, field });
    const needed = [...this.seats.map((who) => who[2]).filter((one) => this.took.includes(one)), ...this.joins.map(([who]) => who)];
    const newcomer = same(this.joins.map(([, level]) => level), this.dealt.length ? [""] : []);
    const renewal = !this.joins.length && this.dealt.length && this.root !== this.dealt.at(-1).sealed.root;
    check(newcomer || renewal, "sealing", { entry, field: "seats" });
    check(needed.every((name) => this.names.includes(name)), "sealing", { entry, field: "commits" });
    this.logged.set(this.number, { sealed, digest: digest("sealing", this.table, sealed), revealed: new Map(), void: false });
  }

  takeRevealed({ name, nonce }, entry) {
    const commit = digest("commit", this.table, this.number, name, nonce);
    const fits = this.sealed?.commits.some((one) => same(one, [name, commit])) && nonce.length === 64;
    check(fits, "nonce", { entry });
    this.nonces.set(name, nonce);
    this.logged.get(this.number).revealed.set(name, nonce);
  }

  takeVoided({ missing, secret, next_seal: following, next_root: root = "" }, entry) {
    const absent = this.sealed ? this.names.filter((name) => !this.nonces.has(name)) : [];
    const opens = this.dealt.length ? !(secret || following) : digest("seal", secret) === this.seal;
    check(opens, "voidSecret", { entry });
    check(absent.length && same(missing, absent), "void", { entry });
    this.voids.push({ round: this.number, missing });
    this.logged.get(this.number).void = true;
    if (!this.dealt.length) Object.assign(this, { seal: following, root });
    this.next();
  }
}

/** Return the round, the seal and the opened secret of the duplicate set of a table. */
function wholeSet({ header, first, dealt }) {
  const [opened, ...rows] = first.set;
  const made = { ...opened, duplicate: opened.name };
  const acts = rows.map((row) => row.act);
  for (const key of ["duplicate", "game", "version", "options"]) check(same(made[key], header[key]), "set");
  check(acts.some((act) => act.table === header.number), "set");
  const own = rounds(made, [...acts.filter((act) => !["Added", "Opened"].includes(act.is)), { is: "Start" }]);
  const one = { ...own.dealt[0], entry: 0 };
  const found = dealt.length ? dealt : [one];
  check(same(key(found.at(-1)), key(one)), "setSealing");
  return { dealt: found, seal: own.seal, secret: acts.find((act) => act.is === "Opened")?.secret ?? "", logged: own.logged, table: own.table };
}

const key = ({ table, digest: code, nonces }) => [table, code, nonces];

// draws: each has the key in force, and a new round serves from the next deal, slip or pile

async function drawn(dealt, rows, secret) {
  let now = null, place = 0;
  for (const { seq, key: [tag, ...purpose], draws } of rows) {
    place += 1;
    if (place % BREATH === 0) await new Promise((done) => { setTimeout(done); });
    const about = { entry: seq, purpose: purpose.join(" ") };
    if (!now || (tag === "luck" && ["deal", "slip", "pile"].includes(purpose[0]))) {
      now = dealt.filter((one) => one.entry <= seq).at(-1);
      check(now, "draw", about);
    }
    const luck = new Luck(hmac(keyOf(secret, now), canonical(tag, ...purpose)));
    for (const [call, ...rest] of draws) check(same(luck.draw(call, ...rest.slice(0, -1)), rest.at(-1)), "draw", about);
  }
  return { count: rows.length };
}

const keyOf = (secret, { table, digest: code, nonces }) => hmac(secret, canonical("key", table, code, nonces));

/** The draws that a key gives. */
class Luck {
  constructor(secret) {
    this.secret = secret;
    this.block = 0;
    this.bits = [];
  }

  take(bits) {
    let value = 0;
    for (let taken = 0; taken < bits; taken += 1) {
      if (!this.bits.length) this.fill();
      value = value * 2 + this.bits.pop();
    }
    return value;
  }

  fill() {
    const number = new Uint8Array(8);
    new DataView(number.buffer).setUint32(4, this.block);
    this.block += 1;
    const digits = [...sha256(joined(this.secret, number))].map((byte) => byte.toString(2).padStart(8, "0")).join("");
    this.bits = [...digits].map(Number).reverse();
  }

  below(limit) {
    const width = limit > 1 ? Math.floor(Math.log2(limit - 1)) + 1 : 0;
    for (;;) {
      const value = this.take(width);
      if (value < limit) return value;
    }
  }

  draw(call, items = 2, some = null) {
    if (call === "coin") return this.below(2) === 1;
    if (call === "roll") return this.below(items) + 1;
    if (call === "choice") return items[this.below(items.length)];
    const order = [...items];
    for (let last = order.length - 1; last > 0; last -= 1) {
      const other = this.below(last + 1);
      [order[last], order[other]] = [order[other], order[last]];
    }
    const wanted = some === null ? order : order.filter((item) => some.some((one) => same(one, item)));
    return call === "pick" ? wanted[0] : wanted;
  }
}

/** Check that each card was in the hand it was played from. The seat left of the dealer bids first and gets the first. */
function hands({ header, acts, draws }, seats) {
  const { moves } = [...stretches(acts)].at(-1);
  const kept = new Set(moves.map((one) => one.entry));
  const made = new Map(draws.filter((row) => kept.has(row.seq)).map((row) => [json(row.key.slice(1)), row.draws[0].at(-1)]));
  const isOhell = header.game === "ohell", inOrder = count(seats);
  const order = isOhell ? inOrder : made.get(json(["order"])) ?? inOrder;
  const dealer = isOhell ? made.get(json(["first"])) ?? 0 : seats - 1;
  let plays = moves.filter((one) => one.kind === "Play").map((one) => [one.seat, one.move.card]);
  let bidders = moves.filter((one) => one.kind === "Bid").map((one) => one.seat), number = 0;
  for (const size of sizesOf(header, seats, moves, PACKS)) {
    if (!plays.length && !bidders.length) break;
    number += 1;
    const left = inOrder.map((place) => order[(dealer + number + place) % seats]);
    check(same(bidders.slice(0, seats), left.slice(0, bidders.length)), "hand", { number });
    const cards = (made.get(json(["deal", number])) ?? []).slice(0, size * seats);
    const inHands = cards.map((card, place) => json([left[place % seats], card]));
    for (const played of plays.slice(0, size * seats)) {
      const place = inHands.indexOf(json(played));
      check(place >= 0, "hand", { number });
      inHands.splice(place, 1);
    }
    plays = plays.slice(size * seats);
    bidders = bidders.slice(seats);
  }
  check(!plays.length && !bidders.length, "hand", { number });
  return { count: number };
}

// closed seals: proofs of the cards that were shown to you

function proofs(log, fixed) {
  const { header, dealt, entries, shown } = log, { game } = header;
  const leaves = leavesOf(header, dealt), size = fixed ? 1 : header.hands ?? 64;
  const marks = log.marks.map((row) => row.unproven);
  const equal = marks.filter((one) => typeof one === "string"), runs = marks.filter((one) => typeof one !== "string");
  const marked = (hand) => runs.some(([first, last]) => first <= hand && hand <= (last || hand));
  const proved = shown.map((row) => opened(row, { leaves, size, dealt, marked, fixed }));
  const once = new Set(proved.map(({ purpose, item }) => json([purpose, item])));
  const cards = game === "lilypoker" ? proved.map(({ purpose, value }) => json([purpose, value])) : [];
  check(once.size === proved.length && new Set(cards).size === cards.length, "twice");
  if (fixed) fits(wrongFacts(log, proved));
  else if (header.root && game === "lilypoker") {
    covered(entries, dealt, size, marked);
    fits(wrongCards(log, proved, DECK, marked));
  } else if (header.root) fits(wrongNumbers(log, proved, equal, runs.length > 0));
  return { count: shown.length, unproven: runs, equal };
}

function leavesOf({ game, options }, dealt) {
  if (game === "lilypoker") return count(52).map((card) => ["deal", card]);
  if (game === "liarspoker") return options.choose === "manual" ? SLIPS : SLIPS.slice(0, SLIPS.length / 2);
  return count(6 * (options.each ?? 0) * (dealt[0]?.sealed.seats.length ?? 0))
    .map((place) => ["card", 1 + Math.floor(place / 3), ["text", "mark", "seat"][place % 3]]);
}

/** Return what a proof proves, as { purpose, item, place, value }; its root must be that of its round. */
function opened(row, { leaves, size, dealt, marked, fixed }) {
  const { proof: purpose, item, value } = row;
  const about = { purpose: purpose.join(" "), item };
  const found = dealt.find((one) => one.sealed.round === row.round);
  check(found, "proof", about);
  const [kind, hand, ...place] = fixed ? [purpose[0], 1, ...purpose.slice(1)] : purpose;
  const leaf = leaves.findIndex((one) => same(one, [kind, ...place, item]));
  const root = climbed(row, ((hand - 1) % size) * leaves.length + leaf, size * leaves.length);
  const inTime = found.first <= hand && hand < found.first + size && !marked(hand);
  check(leaf >= 0 && inTime && root === (fixed || found.sealed.root), "proof", about);
  return { purpose, item, ...(fixed ? { value } : publicHalf(found, purpose, item, value)) };
}

/** Return the place and the card of a proved leaf, or its number: the public half of the luck follows from the log. */
function publicHalf({ table, digest: code, nonces }, purpose, item, value) {
  const luck = new Luck(hmac(unhex(digest("cut", table, code, nonces)), canonical("luck", ...purpose)));
  if (purpose[0] === "deal") return { place: luck.draw("shuffle", count(52)).indexOf(item), value: DECK[value] };
  luck.below(26);
  luck.below(26);
  const digits = count(8 * item).map(() => luck.below(10)).slice(-8);
  return { value: digits.map((digit, place) => (digit + Number(value[place])) % 10).join("") };
}

/** Check that the hands which no root covers are marked, and no others. */
function covered(entries, dealt, size, marked) {
  for (const { seq, seen = [] } of entries) {
    const end = Math.max(...dealt.filter((one) => one.entry <= seq).map((one) => one.first + size));
    for (const { number } of seen.filter((one) => one.is === "HandBegun")) check(marked(number) === number >= end, "uncovered", { number });
  }
}

/** Return the root of the tree (RFC 6962) that a proof climbs to. */
function climbed({ salt, path, proof, item, value }, start, leaves) {
  let node = sha256(joined(Uint8Array.of(0), unhex(salt), canonical("leaf", ...proof, item, value)));
  const siblings = path.map(unhex);
  for (let at = start, width = leaves; width > 1; at = Math.floor(at / 2), width = Math.floor((width + 1) / 2)) {
    const hasSibling = (at ^ 1) < width;
    const sibling = hasSibling ? siblings.shift() : null;
    check(!hasSibling || sibling, "proof", { purpose: proof.join(" "), item });
    if (hasSibling) node = sha256(at % 2 ? joined(Uint8Array.of(1), sibling, node) : joined(Uint8Array.of(1), node, sibling));
  }
  return siblings.length ? "" : hex(node);
}

// this browser's own receipts

function checkReceipts({ table, logged = new Map() }, receipts) {
  const own = receipts.filter((one) => one.T === table);
  for (const receipt of own) {
    const { round, revealed } = receipt;
    const who = receipt.id || receipt.name;
    const found = logged.get(round);
    const about = { round };
    check(digest("commit", receipt.T, round, who, receipt.nonce) === receipt.commit, "receiptDamaged", about);
    check(receipt.D.length < 2, "receiptTwoLists", about);
    const listed = found?.sealed.commits.some((one) => same(one, [who, receipt.commit]));
    check(revealed || !listed || found.void, "receiptNotRevealed", about);
    if (!revealed) continue;
    check(found?.digest === revealed, "receiptOtherList", about);
    check(found.sealed.seal === receipt.seal && found.sealed.root === receipt.root, "receiptSeal", about);
    check(listed, "receiptLeftOut", about);
    check(found.void || found.revealed.get(who) === receipt.nonce, "receiptNonce", about);
  }
  return { count: own.filter((one) => one.revealed).length };
}

// small things

function digest(tag, ...parts) {
  return hex(sha256(canonical(tag, ...parts)));
}

function same(one, other) {
  return one !== undefined && other !== undefined && json(one) === json(other);
}

function count(size) {
  return Array.from({ length: size }, (_, place) => place);
}
