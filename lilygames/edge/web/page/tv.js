// A television: it shows a party's table to a room, large, as a spectator sees it. Nobody is logged in here.

import { die, draw } from "/cards.js";
import { finals } from "/choices.js";
import { Connection } from "/connection.js";
import { both, keep, make, say } from "/dom.js";
import { words } from "/party-words.js";
import { apply } from "/prefs.js";
import { sentences } from "/sentences.js";
import { capital, who, withTens } from "/speech.js";
import { State } from "/state.js";
import { awake } from "/wake.js";
import { titleOf } from "/words.js";

const NOTHING = "--";
/** How many earlier claims, and how many sentences about what has happened, are shown. */
const EARLIER = 3, TOLD = 2;
/** Lengths of a claim from which its letters are smaller. */
const LONG = 22, LONGER = 44;

const code = document.body.dataset.code;
const part = (name) => document.querySelector(`#${name}`);
const state = new State();
const connection = new Connection(`${location.protocol.replace("http", "ws")}//${location.host}/ws`, heard, changed);
let party = null, trouble = "", drawing = false;
/** The claims of this round, for a picture that has only the last one. */
let round = "", claims = [];

apply();
awake(() => true);
connection.open();

function heard(packet) {
  state.hear(packet);
  if (packet.hello) begin();
  if (packet.party) party = packet.party;
  if (packet.table) show(packet.table.number);
  if (state.gaps.size) watch();
  if (!drawing) requestAnimationFrame(paint);
  drawing = true;
}

/** Show a table, and forget the one before: a rematch is another table. */
function show(number) {
  for (const known of [...state.tables.keys()]) if (known !== number) state.forget(known);
  state.shown = number;
}

async function begin() {
  await connection.ask({ picture: true });
  await watch();
}

/** Ask for the party. Whoever has a wrong code doesn't ask again by itself: that is counted. */
async function watch() {
  state.gaps.clear();
  const error = await connection.ask({ watch: code });
  if (!error) trouble = "";
  else if (error.code !== "lost") {
    trouble = capital((error.text || words.wrong).replace(/^Refused: /u, ""));
    connection.rest();
  }
  paint();
}

function changed(what) {
  if (what === "connected") trouble = "";
  else if (!trouble && what !== "connecting") trouble = what === "restarting" ? words.restarting : words.lost;
  paint();
}

/** Note the claim that stands now. */
function listen(table, picture) {
  const now = `${table.number} ${picture.facts[0]}`;
  if (round !== now) claims = [];
  round = now;
  const { quote } = picture, last = claims.at(-1);
  if (quote && (last?.text !== quote.text || last.speaker !== quote.speaker)) claims.push(quote);
}

function paint() {
  drawing = false;
  const { table } = state, picture = table?.picture ?? null;
  if (picture) listen(table, picture);
  part("join").hidden = Boolean(party) && (!party.free || table?.state === "over");
  say(part("free"), party ? words.free(party.free) : "");
  say(part("facts"), table ? words.facts(titleOf(table.game), table.state === "over" ? "" : picture?.facts[0] ?? "") : "");
  keep(part("middle"), trouble && !table ? [["trouble", () => make("p.big", { role: "alert" }, trouble)]] : table ? middle(table, picture) : []);
  part("middle").classList.toggle("stale", Boolean(trouble));
  keep(part("seats"), table ? chairs(table, picture) : []);
  part("seats").classList.toggle("many", (table?.names.length ?? 0) > 6);
}

// the middle

function middle(table, picture) {
  if (table.state === "over") return results(table);
  if (!picture) return waiting(table);
  const rows = [], dice = picture.zones.some(({ pieces }) => pieces[0]?.kind === "die");
  const row = (key, create) => rows.push([key, create]);
  const plain = (text) => capital(dice ? withTens(text, table.names) : text);
  const also = [...picture.middle, picture.quote ? "" : picture.verdict, ...picture.zones.map(({ label, pieces }) => `${label} ${pieces[0].face}`)].map((text) => text.toLowerCase());
  const facts = picture.facts.slice(1).filter((text) => !also.includes(text.toLowerCase()) && !(picture.quote && text.includes(picture.quote.text)));
  if (facts.length) row(`f${facts}`, () => make("p.facts", {}, ...facts.map((text) => make("span", {}, ...both(plain(text))))));
  if (picture.quote) quote(table, picture.quote, dice, row);
  for (const text of picture.middle) row(`m${text}`, () => make("p.line", {}, ...both(plain(text))));
  for (const [at, zone] of picture.zones.entries()) row(`z${at}${JSON.stringify(zone)}`, () => drawn(zone));
  const listed = sentences(table, picture);
  if (listed.length) row("listed", () => make("div.listed"));
  const said = picture.ladder.length ? picture.ladder : claims, before = picture.quote ? said.slice(0, -1) : picture.ladder;
  if (before.length) row(`l${JSON.stringify(before.slice(-EARLIER))}`, () => make("ol.before", { "aria-label": words.before },
    ...before.slice(-EARLIER).map((bid) => make("li", {}, `${who(table, bid.speaker)} `, make("b", {}, dice ? withTens(bid.text) : bid.text)))));
  if (picture.verdict && !picture.quote) row(`v${picture.verdict}`, () => make("p.verdict", {}, ...both(plain(picture.verdict))));
  const told = state.rows.filter((one) => one.kind === "game" && one.table === table.number).slice(-TOLD);
  if (told.length && !listed.length) row(`t${told.at(-1).key}`, () => make("p.told", {}, told.map(({ text }) => text).join(" ")));
  return rows.map(([key, create]) => [key, create, key === "listed" ? (box) => keep(box, listed) : undefined]);
}

function quote(table, { text, speaker, hearer, say: aloud }, dice, row) {
  const shown = dice ? withTens(text) : text, size = shown.length > LONGER ? "q.longer" : shown.length > LONG ? "q.long" : "q";
  row(`s${speaker}/${hearer}`, () => make("p.says", {}, words.says(who(table, speaker), hearer === null ? "" : who(table, hearer))));
  row(`q${shown}`, () => make("p.claim", {}, make(size, {}, ...both(shown, aloud || undefined))));
}

function waiting(table) {
  return [["open", () => make("p.big", {}, words.open(titleOf(table.game)))], ["scan", () => make("p.line", {}, words.scan)],
    ["begins", () => make("p.line", {}, words.begins(table.host))]];
}

function results(table) {
  const found = finals(table);
  return [[`over${found.map(({ seat }) => seat)}`, () => make("ol.places", {}, ...found.map(({ seat, place, text }) =>
    make(place === 1 ? "li.first" : "li", {}, make("span", {}, `${place}`), make("strong", {}, who(table, seat)), make("span", {}, text))))]];
}

function drawn({ label, pieces }) {
  const [{ kind }] = pieces;
  if (kind === "die") return make("p.dice", { role: "img", "aria-label": label }, ...pieces.map((one) => die(one.face, one.open !== false)));
  if (kind === "card") return make("p.cards", { role: "img", "aria-label": `${label}: ${pieces.map(({ face }) => face).join(" ")}` }, ...pieces.map((one) => draw(one.face)));
  return make("p.line", {}, `${label}: `, ...both(pieces.map((one) => one.text || one.face).join(" ")));
}

// the players

function chairs(table, picture) {
  const blank = (_, seat) => ({ seat, values: [], pieces: [], note: "", to_move: false, winning: false, bet: null });
  return (picture?.seats ?? table.names.map(blank)).map((one) => [one.seat, newChair, (chair) => seated(chair, one, table, picture)]);
}

function newChair() {
  return make("li", {}, make("div.who", {}, make("strong"), make("span.turn", {}, words.turn)), make("span.stands"), make("span.lies"));
}

function seated(chair, one, table, picture) {
  const sitter = table.roster?.[one.seat], over = table.state === "over";
  chair.classList.toggle("now", Boolean(one.to_move) && !over);
  chair.classList.toggle("winning", Boolean(one.winning));
  say(chair.querySelector("strong"), who(table, one.seat));
  const values = one.values.map((value, at) => shown(value, picture.columns[at]));
  const spoken = one.pieces.filter(({ kind, face }) => kind === "words" && face !== NOTHING).map(({ face }) => face);
  const bet = one.bet ? [`bet ${one.bet}`] : [];
  const notes = [sitter?.bot && !picture ? words.bot : "", sitter?.here === false ? words.gone : "", one.note, ...spoken, ...bet, ...values];
  say(chair.querySelector(".stands"), notes.filter(Boolean).join(", "));
  const lying = one.pieces.filter(({ kind, face }) => kind !== "words" && face !== NOTHING);
  keep(chair.querySelector(".lies"), lying.map((piece, at) => [`${at}${piece.kind}${piece.face}${piece.open}`, () => small(piece)]));
}

/** Return a value with its column: `3 points`, `bid 2`; nothing for a dash. */
function shown(value, column) {
  if (value === NOTHING || value === "") return "";
  if (column.unit) return `${value.replace(/^-/u, "−")} ${column.unit}${/^[+-]?1$/u.test(value) ? "" : "s"}`;
  return `${column.head} ${value}`;
}

function small({ kind, face, open }) {
  if (kind === "card") return draw(face, true);
  if (kind === "die") return die(face, open !== false);
  return make("span", {}, face);
}
