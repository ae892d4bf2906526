// The texts of the view that checks a finished game. They are loaded with it.

import { words } from "./words.js";

const THINGS = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

const FITS = {
  export: () => "The log is complete, and its entries are in order.",
  links: ({ count }) => `The codes that link all ${THINGS(count, "entry", "entries")} fit, so no entry was changed later.`,
  names: ({ count }) => (count ? "The names fit the ids in the log." : "The log has no ids."),
  rounds: () => "Everything was sealed before any number was shown, and each number is the one its player locked in.",
  set: () => "This table was sealed as its set of deals says.",
  secret: () => "The server's secret is the one whose hash it showed before the game.",
  draws: ({ count }) => `All ${THINGS(count, "draw")} (deals, rolls, coins) follow from the secret and the players' numbers.`,
  hands: ({ count }) => `In ${THINGS(count, "deal")}, each card was in the hand it was played from.`,
  proofs: ({ count }) => `The proofs of the ${THINGS(count, "card or number", "cards and numbers")} that you saw fit. They didn't change.`,
  receipts: ({ count }) => (count ? "Your own number is in the deal, and the server showed you the list that is in the log."
    : "This browser has no number of its own in this deal."),
};

const DIFFERS = {
  form: () => "The server sent something that isn't the log of a game.",
  format: () => "The log's format doesn't fit its first row.",
  order: () => "The rows aren't in order.",
  header: () => "The first row was changed: its code doesn't fit.",
  link: ({ entry }) => `Entry ${entry} was changed: its code doesn't fit.`,
  name: ({ name }) => `The name ${name} doesn't fit its id.`,
  late: ({ entry }) => `Entry ${entry} came after everything was sealed.`,
  unrevealed: ({ entry }) => `Entry ${entry} dealt before all numbers were shown.`,
  sealing: ({ entry, field }) => `Entry ${entry} seals other ${SEALED[field]} than the log has.`,
  nonce: ({ entry }) => `Entry ${entry} shows a number that its player hadn't locked in.`,
  voidSecret: ({ entry }) => `Entry ${entry}: the secret of the void round doesn't fit its seal.`,
  void: ({ entry }) => `Entry ${entry} makes a round void without a reason.`,
  root: ({ entry }) => `Entry ${entry} shows new hidden cards that nobody needed.`,
  set: () => "This table doesn't belong to the set of deals that it names.",
  setSealing: () => "This table wasn't sealed like its set of deals.",
  secret: () => "The server's secret isn't the one whose hash it showed before the game.",
  kind: () => "The log has a row that no log of a game has.",
  end: () => "The log's end doesn't fit: a row is missing or was changed.",
  missingDraw: ({ entry, purpose }) => `Entry ${entry} must draw “${purpose}”, but the log has something else.`,
  extraDraw: () => "The log has a draw that no move makes, or a deal is missing.",
  draw: ({ entry, purpose }) => `Entry ${entry}, ${purpose}: the draw isn't what the numbers give.`,
  hand: ({ number }) => `In deal ${number}, a card wasn't in the hand it was played from.`,
  uncovered: ({ number }) => `Hand ${number} is marked wrongly as proven or unproven.`,
  missingProof: ({ what }) => `The proofs of ${what} aren't those of what you saw.`,
  extraProof: () => "The log has a proof of something that you didn't see, or out of place.",
  twice: () => "The log proves something twice.",
  proof: ({ purpose, item }) => `The proof of ${purpose}, place ${item}, doesn't fit.`,
  shown: ({ entry }) => `Entry ${entry} shows a card that isn't the one fixed before the game.`,
  receiptDamaged: ({ round }) => `Round ${round}: this browser's own note is damaged.`,
  receiptTwoLists: ({ round }) => `Round ${round}: the server showed this browser two different lists.`,
  receiptNotRevealed: ({ round }) => `Round ${round}: the cards were dealt although this browser never showed its number.`,
  receiptOtherList: ({ round }) => `Round ${round}: this browser showed its number for a list that isn't the one in the log.`,
  receiptSeal: ({ round }) => `Round ${round}: the server showed this browser a seal that isn't the one in the log.`,
  receiptLeftOut: ({ round }) => `Round ${round}: your number isn't in the list.`,
  receiptNonce: ({ round }) => `Round ${round}: your number isn't in the log.`,
};
const SEALED = { round: "rounds", seal: "hashes", root: "hidden cards", options: "options", words: "cut words", seats: "seats", commits: "locked numbers" };

export const verifying = {
  title: (number) => `Is table ${number} fair?`,
  getting: "Getting the log…",
  checking: "Checking…",
  refused: (text) => `The log can't be checked now. ${text ?? ""}`.trim(),
  fits: "Everything that this browser can check fits.",
  differs: "Something doesn't fit. Save the log and your number, and tell the people you played with.",
  unsealed: { lesson: "A lesson has fixed cards, so nobody sealed it." },
  state: { fits: "Fits", differs: "Differs", skipped: "Not checked" },
  skipped: "This wasn't checked, because of the difference above.",
  sealedBy: (names, code) => (names.length ? `Sealed by ${words.listed(names)}. Compare this code with theirs: ${code}`
    : "No player's number is in this deal, so the server could choose it."),
  isVoid: ({ round, missing }) => `Round ${round} was void: ${words.listed(missing)} didn't show the number that was locked in.`,
  unproven: ([first, last]) => (last ? `Hands ${first} to ${last} have no proof.` : `Hands from ${first} on have no proof.`),
  unchecked: "What this browser didn't check",
  openLimits: ["Whether each move keeps to the rules, and whether the bots moved as their programs say. The server checks that below.",
    "When each entry was written."],
  closedLimits: ["This game's seal stays closed, so cards that you didn't see stay secret, and nobody can check them.",
    "Whether each move keeps to the rules. The server checks what it can below."],
  always: "Whether the server told someone your cards. No seal can stop that. This page comes from the server, too: to trust it less, check the saved log at home.",
  server: "What the server says",
  save: "Save the log",
  saveReceipt: "Save my number",
  close: "Close",
};

/** Return a check as a sentence. */
export function checkSaid({ what, state, why, about }) {
  if (state === "skipped") return verifying.skipped;
  return state === "fits" ? FITS[what](about) : DIFFERS[why](about);
}

/** Return a digest as people compare it: its first ten digits. */
export function codeShown(digest) {
  return digest.slice(0, 10).replace(/(.{4})(?=.)/gu, "$1 ");
}
