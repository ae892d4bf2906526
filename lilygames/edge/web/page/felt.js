// The table as the server's picture says: seats around the felt, and what lies in the middle.

import { finals } from "/choices.js";
import { die, draw } from "/cards.js";
import { both, keep, make, say } from "/dom.js";
import { capital, spoken, spokenDie, valueInWords, who, withTens } from "/speech.js";
import { sentences } from "/sentences.js";
import { words } from "/words.js";

const FEW = 4, MANY = 6;
const NOTHING = "--";
/** How long a full trick stays, in milliseconds, if nobody plays to the next one. */
const PAUSE = 1800;
const TURNED = /^(.*) \(((?:10|[2-9TJQKA])[SHDC♠♥♦♣]|[WJ])\)$/u;

const memories = new WeakMap();

/** Make the part of the page for a table. */
export function felt(id = "round") {
  const section = make("section.table", { "aria-labelledby": id },
    make("div.facts", {}, make("h2", { id }), make("ul.more")),
    make("div.felt", {}, make("ul.seats"), make("div.middle")),
    make("div.texts", { hidden: true }));
  memories.set(section, { number: null, trick: "", until: 0, timer: null });
  return section;
}

/** Show a table: its picture, from the place of whoever looks at it. */
export function show(section, table) {
  const picture = table.picture ?? waiting(table);
  const [first, ...more] = picture.facts;
  say(section.querySelector(".facts h2"), table.state === "over" ? words.results : capital(first ?? ""));
  const told = more.filter((text) => !picture.quote || !text.includes(picture.quote.text));
  keep(section.querySelector(".more"), told.map((text) => [text, () => fact(text)]));
  const trick = lastTrick(section, table, picture);
  const list = section.querySelector(".seats");
  seats(list, table, picture, trick);
  keep(section.querySelector(".middle"), middle(table, picture, trick));
  const texts = section.querySelector(".texts");
  const listed = sentences(table, picture);
  texts.hidden = !listed.length;
  keep(texts, listed);
}

function isBot(table, seat) {
  const sitter = table.roster?.[seat];
  return sitter ? Boolean(sitter.bot) : /^\*|\*$|\(house/u.test(table.names[seat] ?? "");
}

/** Return a picture of a table that hasn't begun. */
function waiting(table) {
  const blank = { values: [], pieces: [], note: "", winning: false, to_move: false, dealer: false, tone: "", bet: null };
  return { facts: [words.isOpen(table.number)], columns: [], seats: table.names.map((_, seat) => ({ ...blank, seat })), middle: [], quote: null,
    mine: null, zones: [], listed: [], ladder: [], texts: [], verdict: "", open: true };
}

/** Return a short fact; the card that was turned up for it is drawn. */
function fact(text) {
  const [, said, card] = TURNED.exec(text) ?? [];
  if (!card) return make("li", {}, ...both(text));
  return make("li", {}, ...both(said), draw(card, true), make("span.hidden", {}, words.turnedUp(spoken(card))));
}

/** Return the last complete trick, perhaps of the round before, as long as it should stay on the table, else null. */
function lastTrick(section, table, picture) {
  const memory = memories.get(section), trick = picture.last_trick ?? table.ended ?? null;
  const key = trick ? JSON.stringify([picture.facts[0], trick.cards]) : "";
  const known = memory.number === table.number;
  memory.table = table;
  memory.number = table.number;
  if (key !== memory.trick) {
    memory.trick = key;
    memory.until = known && key ? performance.now() + PAUSE : 0;
    clearTimeout(memory.timer);
    if (memory.until) memory.timer = setTimeout(() => show(section, memory.table), PAUSE + 10);
  }
  const begun = picture.seats.some((one) => one.pieces.some(({ face }) => face !== NOTHING));
  return trick && !begun && performance.now() < memory.until ? trick : null;
}

// seats

function seats(list, table, picture, trick) {
  const first = Math.max(0, picture.seats.findIndex((one) => one.seat === table.seat));
  const order = [...picture.seats.slice(first), ...picture.seats.slice(0, first)];
  const number = order.length + (picture.open ? 1 : 0);
  list.style.setProperty("--seats", number);
  list.classList.toggle("some", number > FEW);
  list.classList.toggle("many", number > MANY);
  list.classList.toggle("plain", picture.seats.every((one) => !laid(one, trick).length && !one.bet));
  list.classList.toggle("sentences", [...picture.listed, ...(picture.mine?.pieces ?? [])].some(({ text }) => text));
  list.classList.toggle("bets", picture.seats.some((one) => one.bet !== null));
  const items = order.map((one, place) => [one.seat, newSeat, (item) => seat(item, one, place, table, picture, trick)]);
  if (picture.open) {
    items.push(["open", () => make("li.seat.free", {}, make("div.plate", {}, words.openSeat)), (item) => item.style.setProperty("--place", order.length)]);
  }
  keep(list, items);
}

function newSeat() {
  return make("li.seat", {}, make("span.hidden.heard"), make("div.plate", { "aria-hidden": "true" }, make("strong"),
    make("span.badge", {}, words.bot), make("span.under", {}, make("span.values", {}, make("span"), make("span.unit")), make("span.note")), make("span.tone"), make("span.mark", {}, words.dealerMark)),
  make("div.slot", { "aria-hidden": "true" }));
}

function seat(item, one, place, table, picture, trick) {
  const bot = isBot(table, one.seat), gone = table.roster?.[one.seat]?.here === false;
  const taken = trick?.cards.find(([seat]) => seat === one.seat)?.[1];
  const wins = trick ? trick.winner === one.seat : one.winning;
  item.style.setProperty("--place", place);
  for (const [name, on] of Object.entries({ now: one.to_move, winning: wins, mine: one.seat === table.seat, dealer: one.dealer,
    cancelled: one.cancelled, gone, bot })) item.classList.toggle(name, Boolean(on));
  say(item.querySelector("strong"), who(table, one.seat));
  const shown = one.values.map((value, at) => [value, picture.columns[at]]);
  const leading = shown.filter(([, column]) => column.unit);
  const stands = shown.filter(([, column]) => !column.unit).map(([value]) => value);
  const [value, column] = leading[0] ?? [stands.join(", "), null];
  const values = item.querySelector(".values");
  say(values.firstChild, value.replace(/^-/u, "−"));
  say(values.lastChild, column ? ` ${words.unit(value, column.unit, column.units)}` : "");
  const tone = item.querySelector(".tone");
  say(tone, leading.length ? stands.map(short).join(" ") : "");
  tone.className = `tone ${one.tone}`;
  const spokenHere = one.pieces.filter(({ kind, face }) => kind === "words" && face !== NOTHING).map(({ face }) => face);
  say(item.querySelector(".note"), [one.character, ...spokenHere, one.note, gone && words.gone].filter(Boolean).join(", "));
  const pieces = laid(one, trick);
  keep(item.querySelector(".slot"), [
    ...pieces.map((piece) => [keyOf(piece), () => onFelt(piece, picture)]),
    ...(one.bet ? [[`bet${one.bet}`, () => make("span.bet", {}, `${one.bet}`)]] : []),
  ]);
  const heard = [
    bot ? words.botNamed(who(table, one.seat)) : who(table, one.seat), one.character, gone && words.gone, one.dealer && words.dealer,
    ...shown.map(([value, column]) => valueInWords(value, column)), one.tone && words.tones[one.tone],
    one.bet && !one.note.includes(one.bet) && words.bet(one.bet),
    ...pieces.filter(({ face }) => face !== NOTHING).map(heardOf), ...spokenHere,
    one.note, taken && wins && words.took, !taken && one.winning && words.wins, one.cancelled && words.cancelled,
    one.to_move && words.toMove,
  ];
  say(item.querySelector(".heard"), heard.filter(Boolean).join(", "));
}

/** Return the pieces that lie before a seat; words are on its plate. */
function laid(one, trick) {
  if (trick) return trick.cards.flatMap(([seat, face], at) => (seat === one.seat ? [{ kind: "card", face, id: trick.ids?.[at] || `t${face}` }] : []));
  return one.pieces.filter(({ kind }) => kind !== "words").map((piece, at) => ({ ...piece, id: piece.id || `${piece.face}/${at}` }));
}

/** Return a key that changes when a piece must be drawn anew: its place may show another face. */
function keyOf({ kind, id, face, open, mark }) {
  return kind === "card" ? id : `${id}${face}${open}${mark}`;
}

function heardOf({ kind, face, open }) {
  return kind === "die" ? spokenDie(face, open !== false) : words.played(spoken(face));
}

/** Return a value as it fits its badge; a dash for words such as "no bid". */
function short(text) {
  return /\d/u.test(text) ? text : "–";
}

/** Return a piece on the table. */
function onFelt({ kind, id, face, text, mark, open = true }, picture) {
  if (face === NOTHING) return make("span.empty");
  if (kind === "statement") return make("span.paper", { "data-id": id }, make("b", {}, face),
    make(`i.mark-${mark ?? ""}`, {}, words.marks[mark]?.[0] ?? ""), make("span", {}, text));
  if (kind === "die") return make("span.thrown", { "data-id": id }, die(face, open));
  if (kind !== "card") return make("span.said", {}, face);
  return make("span.played", { "data-id": id }, draw(face, picture.seats.length > MANY));
}

// middle

function middle(table, picture, trick) {
  const found = table.state === "over" ? finals(table) : [];
  if (found.length) return results(table, found);
  const rows = [];
  const row = (key, create) => rows.push([key, create]);
  if (picture.open) row("open", () => make("p", {}, words.openTable));
  if (picture.quote) {
    const { text, speaker, hearer, say: aloud } = picture.quote;
    const said = words.saysTo(who(table, speaker), hearer === null ? "" : who(table, hearer));
    row(`q${said}${text}`, () => make("p.quote", {}, make("span", {}, said), make("q", {}, ...both(onDice(picture) ? withTens(text) : text, aloud || undefined))));
  }
  if (trick) row("taken", () => make("p", {}, words.trickTaken(trick.winner === null ? "" : who(table, trick.winner))));
  else for (const text of picture.middle) row(`m${text}`, () => make("p", {}, ...both(capital(text))));
  const number = picture.mine?.pieces[0].kind === "digit" ? [picture.mine] : [];
  for (const [at, zone] of [...picture.zones, ...number].entries()) row(`z${at}${zone.label}${zone.pieces.map(keyOf)}`, () => drawn(zone));
  if (picture.ladder.length) row("ladder", () => make("ol.ladder", { "aria-label": words.ladder }));
  if (picture.verdict && !picture.quote) row(`v${picture.verdict}`, () => make("p.verdict", {}, ...both(capital(picture.verdict))));
  return rows.map(([key, create]) => [key, create, key === "ladder" ? (list) => ladder(list, table, picture) : undefined]);
}

/** Return pieces that lie together: with their label before them if you hear them, and in front of an amount of chips. */
function drawn({ label, pieces }) {
  const [{ kind, face }] = pieces, before = make("span.hidden", {}, `${label}: `);
  if (kind === "chips") return make("p.pot", {}, make("span.chips", { "aria-hidden": "true" }), `${label} ${face}`);
  if (kind === "die") return make("p.dice", {}, ...pieces.map((one) => die(one.face, one.open !== false)),
    make("span.hidden", {}, `${label}: ${pieces.map((one) => spokenDie(one.face, one.open !== false)).join(", ")}`));
  if (kind === "digit") return make("p.number", {}, make("small", {}, `${label}: `), ...pieces.map((one) => make(one.mark === "lit" ? "span.lit" : "span", {}, one.face)));
  if (kind === "card") return make("p.board", { "aria-label": label }, ...pieces.map((one) =>
    make("span.played", { "data-id": one.id }, draw(one.face), make("span.hidden", {}, spoken(one.face), " "))));
  return make("p", {}, before, pieces.map((one) => one.text || one.face).join(", "));
}

/** Whether there are dice on the table, so that a T in a text is a ten. */
function onDice(picture) {
  return picture.zones.some(({ pieces }) => pieces[0]?.kind === "die");
}

function ladder(list, table, picture) {
  const rows = picture.ladder.map((bid, at) => [at, () => make("li", {}, `${who(table, bid.speaker)}: `, make("b", {}, bid.text))]);
  keep(list, rows.slice(-3));
}

/** Return the players by place. */
function results(table, found) {
  return [[`over${found.map(({ seat }) => seat)}`, () => make("ol.results", { "aria-label": words.results }, ...found.map(({ seat, place, text }) =>
    make(place === 1 ? "li.first" : "li", {}, make("span.place", {}, `${place}`), make("strong", {}, who(table, seat)), make("span", {}, text))))]];
}
