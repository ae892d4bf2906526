// The page's part in sealing a deck, as a player's own client has it: commit to a number that the page makes, reveal it
// once, and say when the server cheats. A number is revealed only to a list with the seal and the commitment that the
// page knows, and only to one list per round. lilygames/client/commit_reveal.py is the same for the terminal.

import { commitment, fresh, hex, identity, sealingDigest, sealOf, seatId, unhex } from "./commitments.js";

const COMMITMENTS = 2000, ROUNDS = 1000;
const RECEIPTS = 300;
const PREFIX = "receipt/";
const START = 16;
const HASH = /^[0-9a-f]{64}$/u;
const UNSEALED = /^[/.]?(?:learn|daily)\b|\bduplicate=/iu;
const NOTHING = { lines: [], warnings: [] };

/** The receipts of this tab, in the format of lilygames/proofs/receipt.py. They outlive a reload of the page. */
export class Receipts {
  /** `storage` is the browser's storage, or null if it's blocked. */
  constructor(storage, server) {
    this.storage = storage;
    this.server = server;
  }

  /** Save a receipt, replacing its earlier version; throw if the storage is blocked or full. */
  keep(receipt) {
    if (!this.storage) throw new Error("the storage is blocked");
    this.storage.setItem(keyOf(receipt), JSON.stringify(receipt));
    this.forgetOld();
  }

  forgetOld() {
    const all = [...this.every()];
    for (const old of all.slice(0, Math.max(0, all.length - RECEIPTS))) this.storage.removeItem(keyOf(old));
  }

  /** Return the receipts for a round of the table with this identity. */
  of(table, round) {
    return [...this.every()].filter((one) => one.T === table && one.round === round);
  }

  /** Return the receipts for the table with this number. */
  at(number) {
    return [...this.every()].filter((one) => one.table === number);
  }

  /** Return all that can be read, by the number of their table. */
  every() {
    const found = [];
    for (let place = 0; place < (this.storage?.length ?? 0); place += 1) {
      const key = this.storage.key(place);
      if (key.startsWith(PREFIX)) found.push(read(this.storage.getItem(key)));
    }
    return found.filter(Boolean).sort((one, other) => one.table - other.table || one.round - other.round);
  }
}

function keyOf(receipt) {
  return PREFIX + fileOf(receipt);
}

/** Return the name of a receipt's file, as `lilygames verify --receipts` looks for it. */
export function fileOf({ table, T, round, seal }) {
  return `${table}-${T.slice(0, START)}-r${round}-${seal.slice(0, START)}.json`;
}

function read(text) {
  try {
    const receipt = JSON.parse(text);
    return receipt.receipt === 1 && Array.isArray(receipt.D) ? receipt : null;
  } catch {
    return null;
  }
}

/** Return the browser's storage of this tab, or null if it's blocked. */
export function storageOf(window) {
  try {
    return window.sessionStorage;
  } catch {
    return null;
  }
}

/** The page's part at all its tables. It decides; the page sends the lines and shows the warnings. */
export class Nonces {
  constructor(receipts, made = fresh) {
    this.receipts = receipts;
    this.made = made;
    this.tables = new Map();
    this.commitments = 0;
    this.expectsNone = false;
    this.blocked = false;
    this.last = Promise.resolve();
  }

  /** Notice a line that asks for a game in which no client takes part. */
  typed(line) {
    if (UNSEALED.test(line.trim())) this.expectsNone = true;
  }

  /** Return the lines to send about a packet, and [warning, table] pairs. Packets are answered in their order. */
  hear(packet, name) {
    this.last = this.last.then(() => this.answer(packet, name)).catch(() => NOTHING);
    return this.last;
  }

  async answer(packet, name) {
    const seen = packet.table ?? packet.update;
    if (isObject(seen)) return this.began(seen, name);
    const [kind] = ["seal", "sealing", "voided"].filter((one) => isObject(packet[one]));
    const asked = kind && READ[kind](packet[kind]);
    if (!asked) return NOTHING;
    const table = this.at(asked.number);
    if (table.identity && table.identity !== asked.T) return warning("renamed", asked.number);
    table.identity = asked.T;
    return this[kind](asked, table, name);
  }

  at(number) {
    if (!this.tables.has(number)) this.tables.set(number, { identity: "", nextSeal: "", void: new Set(), missing: false, listed: null, judged: null });
    return this.tables.get(number);
  }

  /** Commit to a new number once its receipt is saved; the same offer again gets the same commitment. */
  async seal(offer, table, name) {
    if (table.missing || this.commitments >= COMMITMENTS) return NOTHING;
    const owner = offer.name || name;
    const who = offer.id || owner;
    const had = this.receipts.of(offer.T, offer.round);
    const sameSeal = (one) => one.seal === offer.seal && one.root === offer.root;
    const same = had.find((one) => sameSeal(one) && (one.id || one.name) === who);
    if (same) return same.revealed ? NOTHING : sends(offer.number, "commit", same.commit);
    if (had.some((one) => !sameSeal(one))) return warning("changedSeal", offer.number);
    if (table.nextSeal && table.nextSeal !== offer.seal) return warning("otherSeal", offer.number);
    if ((await identityOf(offer)) !== offer.T) return warning("falseTable", offer.number);
    if (offer.id && (await idOf(owner, offer.salt)) !== offer.id) return warning("falseId", offer.number);
    this.commitments += 1;
    const nonce = this.made();
    const commit = await commitment(offer.T, offer.round, who, nonce);
    const receipt = {
      receipt: 1, server: this.receipts.server, name: owner, table: offer.number, game: offer.game, T: offer.T,
      round: offer.round, seal: offer.seal, root: offer.root, nonce: hex(nonce), commit, D: [], revealed: "",
      ...(offer.id ? { id: offer.id, salt: offer.salt } : {}),
    };
    return this.kept(receipt) ?? sends(offer.number, "commit", commit);
  }

  /** Save a receipt; without storage, say once that the page plays without a number of its own. */
  kept(receipt) {
    try {
      this.receipts.keep(receipt);
      return null;
    } catch {
      const told = this.blocked;
      this.blocked = true;
      return told ? NOTHING : { lines: [], warnings: [["blocked", null]] };
    }
  }

  /** Reveal the number to the first right list of a round; warn about any other list. */
  async sealing(listed) {
    const had = this.receipts.of(listed.T, listed.round);
    if (!had.length) return NOTHING;
    const mine = had.find((one) => one.seal === listed.seal && one.root === listed.root);
    if (!mine) return warning("anotherSeal", listed.number);
    if (!isIn(listed, mine)) return warning("leftOut", listed.number);
    if ((await sealingDigest(listed.T, listed.sealing).catch(() => "")) !== listed.D) return warning("falseList", listed.number);
    const shown = { ...mine, D: mine.D.includes(listed.D) ? mine.D : [...mine.D, listed.D] };
    if (mine.revealed && mine.revealed !== listed.D) {
      this.kept(shown);
      return warning("twoLists", listed.number);
    }
    return this.kept({ ...shown, revealed: listed.D }) ?? sends(listed.number, "reveal", mine.nonce);
  }

  /** Check the secret of a void round, and who is called missing. */
  async voided(voided, table) {
    const had = this.receipts.of(voided.T, voided.round);
    const missing = had.some((one) => voided.missing.includes(one.name));
    table.void.add(voided.round);
    table.nextSeal = voided.seal;
    table.missing ||= missing;
    const opened = await sealOf(voided.secret);
    if (voided.seal && had.length && !had.some((one) => one.seal === opened)) return warning("falseSecret", voided.number);
    if (!missing) return NOTHING;
    return warning(had.some((one) => one.revealed) ? "calledMissing" : "notAsked", voided.number);
  }

  /**
   * Warn once when a deck is dealt that this page had no part in, or if the server is wrong about that. An update says
   * who sealed the deck only if that has changed.
   */
  began({ number, state, seat, ...more }, name) {
    if (!Number.isSafeInteger(number) || !Number.isSafeInteger(seat) || this.blocked) return NOTHING;
    const table = this.at(number);
    if ("sealed_by" in more) table.listed = Array.isArray(more.sealed_by) ? more.sealed_by.map(String) : null;
    if (state !== "playing") return NOTHING;
    const { listed } = table, names = listed ?? [];
    if (table.judged === names.join(" ")) return NOTHING;
    table.judged = names.join(" ");
    const expected = this.expectsNone;
    this.expectsNone = false;
    const had = this.receipts.at(number).filter((one) => !table.identity || one.T === table.identity);
    const latest = had.filter((one) => !table.void.has(one.round)).at(-1);
    const tookPart = Boolean(latest?.revealed);
    if ((tookPart && names.includes(name)) || (expected && !listed)) return NOTHING;
    if (!table.identity) return { lines: [], warnings: [["noPart", number]] };
    return warning(names.includes(name) ? "falsePart" : "leftOut", number);
  }
}

// what packets say; null if one doesn't have the right form

const READ = {
  seal(value) {
    const { number, game, version, duplicate, first, round, seal, root = "", T, name = "", id = "", salt = "" } = value;
    const texts = [game, T, seal, root, name, id, salt].every((one) => typeof one === "string");
    return texts && isSound(number, round, T, seal, root || seal)
      ? { number, game: game.slice(0, 40), version, duplicate, first, round, seal, root, T, name, id, salt } : null;
  },
  sealing({ number, T, D, sealing }) {
    if (!isObject(sealing) || typeof D !== "string") return null;
    const { round, seal, root, commits, seats } = sealing;
    const whole = arePairs(commits) && isSound(number, round, T, seal, root || seal);
    const people = arePairs(seats) ? seats.filter(([, level]) => !level).map(([who]) => who) : [];
    return whole ? { number, T, D, sealing, round, seal, root, commits, people } : null;
  },
  voided({ number, T, round, missing, secret = "", seal = "" }) {
    return Array.isArray(missing) && isSound(number, round, T, seal || T, T)
      ? { number, T, round, missing: missing.map(String), secret: String(secret), seal } : null;
  },
};

function isObject(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

function arePairs(rows) {
  return Array.isArray(rows) && rows.every((row) => Array.isArray(row) && row.length === 2);
}

function isSound(number, round, ...hashes) {
  const counts = Number.isSafeInteger(number) && Number.isSafeInteger(round) && number > 0 && round > 0 && round <= ROUNDS;
  return counts && hashes.every((one) => typeof one === "string" && HASH.test(one));
}

/** Return the identity (T) that an offer's table must have; empty if the packet lacks what it's made of. */
async function identityOf(offer) {
  const whole = typeof offer.duplicate === "string" && typeof offer.first === "string" && Number.isSafeInteger(offer.version);
  return whole && !(offer.round === 1 && offer.seal !== offer.first) ? identity(offer) : "";
}

async function idOf(name, salt) {
  try {
    return await seatId(name, unhex(salt));
  } catch {
    return "";
  }
}

/** Whether a list has the page's commitment once, and its id in one seat. */
function isIn(listed, mine) {
  const who = mine.id || mine.name;
  const commits = listed.commits.filter(([one]) => one === who).map(([, commit]) => commit);
  return commits.length === 1 && commits[0] === mine.commit && (!mine.id || listed.people.filter((one) => one === who).length === 1);
}

function sends(number, command, digits) {
  return { lines: [`/at ${number} ${command} ${digits}`], warnings: [] };
}

function warning(what, number) {
  return { lines: [], warnings: [[what, number]] };
}
