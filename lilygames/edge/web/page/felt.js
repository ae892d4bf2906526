// The table as the server's picture says: seats around the felt, and what lies in the middle.

import { die, draw, read, spoken, spokenDie } from "/cards.js";
import { keep, make, say, set } from "/dom.js";
import { words } from "/words.js";

/** Make the part of the page for a table. */
export function felt() {
  return make("section.table", { "aria-labelledby": "round" },
    make("div.facts", {}, make("h2", { id: "round" }), make("ul.more")),
    make("div.felt", {}, make("ul.seats"), make("div.middle")),
    make("div.texts", { hidden: true }));
}

/** Show a table: its picture, from the place of whoever looks at it. */
export function show(section, table) {
  const picture = table.picture;
  if (!picture) return;
  const [first, ...more] = picture.facts;
  say(section.querySelector("#round"), capital(first ?? table.game));
  keep(section.querySelector(".more"), more.map((fact) => [fact, () => make("li", {}, fact)]));
  seats(section.querySelector(".seats"), table, picture);
  middle(section.querySelector(".middle"), table, picture);
  const texts = section.querySelector(".texts");
  texts.hidden = !picture.statements.length && !picture.texts.length;
  statements(texts, table, picture);
}

export function capital(text) {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Return a name at a table as the reader calls it. */
export function who(table, seat) {
  return seat === table.seat ? words.you : plain(table.names[seat] ?? "?");
}

function plain(name) {
  return name.replace(/\*$| \(.*\)$/u, "");
}

function seats(list, table, picture) {
  const first = Math.max(0, picture.seats.findIndex((one) => one.seat === table.seat));
  const order = [...picture.seats.slice(first), ...picture.seats.slice(0, first)];
  list.style.setProperty("--seats", order.length);
  list.classList.toggle("many", order.length > 7);
  keep(list, order.map((one, place) => [
    one.seat,
    () => make("li.seat", {}, make("div.plate", {}, make("strong"), make("span.badge", { hidden: true }, words.bot),
      make("span.values"), make("span.tone"), make("span.note")), make("div.slot")),
    (item) => seat(item, one, place, table, picture),
  ]));
}

function seat(item, one, place, table, picture) {
  item.style.setProperty("--place", place);
  item.classList.toggle("now", one.to_move);
  item.classList.toggle("winning", one.winning);
  item.classList.toggle("mine", one.seat === table.seat);
  item.classList.toggle("dealer", one.dealer);
  const name = table.names[one.seat] ?? "?";
  say(item.querySelector("strong"), who(table, one.seat));
  item.querySelector(".badge").hidden = !/\*$|\(house/u.test(name);
  const shown = one.values.map((value, column) => [value, picture.columns[column]]);
  const leading = shown.filter(([, column]) => column.unit).map(([value, column]) => words.count(value, column.unit));
  const stands = shown.filter(([, column]) => !column.unit).map(([value]) => value);
  say(item.querySelector(".values"), leading.join(", ") || stands.join(", "));
  const tone = item.querySelector(".tone");
  say(tone, leading.length ? stands.join(" ") : "");
  tone.className = `tone ${one.tone}`;
  const bet = one.bet && !one.note.includes(one.bet) && words.bet(one.bet);
  const notes = [one.dealer && words.dealer, bet, one.note].filter(Boolean);
  say(item.querySelector(".note"), notes.join(", "));
  const cards = picture.dice.length || picture.ladder.length ? [] : one.cards.filter((text) => text !== "--");
  keep(item.querySelector(".slot"), cards.map((text, number) => [`${text}/${number}`, () => played(text)]));
  set(item.querySelector(".plate"), { "aria-current": one.to_move ? "true" : null });
}

/** Return a card on the table, or the words that lie there. */
function played(text) {
  if (!read(text) && !/^[WJ?]$/u.test(text)) return make("span.said", {}, text);
  return make("span.played", {}, draw(text), make("span.hidden", {}, spoken(text)));
}

function middle(box, table, picture) {
  const rows = [];
  if (picture.quote) {
    const { text, speaker, hearer } = picture.quote;
    const said = words.saysTo(who(table, speaker), hearer === null ? "" : who(table, hearer));
    rows.push([`q${said}${text}`, () => make("p.quote", {}, make("span", {}, said), make("q", {}, text))]);
  }
  for (const text of picture.middle) rows.push([`m${text}`, () => make("p", {}, capital(text))]);
  if (picture.dice.length) {
    const key = picture.dice.map((one) => `${one.face}${one.open}`).join();
    const heard = picture.dice.map((one) => spokenDie(one.face, one.open)).join(", ");
    rows.push([`d${key}`, () => make("p.dice", {}, ...picture.dice.map((one) => die(one.face, one.open)),
      make("span.hidden", {}, `${words.dice}: ${heard}`))]);
  }
  if (picture.board.length) {
    rows.push([`b${picture.board}`, () => make("p.board", {}, ...picture.board.map(played))]);
  }
  if (picture.pot !== null) rows.push([`p${picture.pot}`, () => make("p", {}, words.pot(picture.pot))]);
  if (picture.digits.length) {
    rows.push([`n${picture.digits}${picture.lit}`, () => make("p.digits", {},
      ...picture.digits.map((digit) => make(digit === picture.lit ? "span.lit" : "span", {}, digit)))]);
  }
  for (const [number, bid] of picture.ladder.slice(-4).entries()) {
    rows.push([`l${number}${bid.text}${bid.speaker}`, () => make("p.bid", {}, `${who(table, bid.speaker)}: ${bid.text}`)]);
  }
  if (picture.verdict) rows.push([`v${picture.verdict}`, () => make("p.verdict", {}, capital(picture.verdict))]);
  keep(box, rows);
}

function statements(box, table, picture) {
  const items = picture.statements.map((one) => [
    one.number,
    () => make("p.statement", {}, make("b"), make("span.mark"), make("span.text"), make("span.whose")),
    (item) => {
      say(item.querySelector("b"), `${one.number}`);
      say(item.querySelector(".mark"), one.mark);
      say(item.querySelector(".text"), one.text);
      const whose = one.owner ?? one.player;
      say(item.querySelector(".whose"), whose === null ? "" : who(table, whose));
      item.classList.toggle("lying", one.owner === null);
    },
  ]);
  const others = picture.statements.length ? [] : picture.texts.map((text) => [text, () => make("p", {}, text)]);
  keep(box, [...items, ...others]);
}
