// The page: hears the server, keeps what it knows, and shows it. Every part of the page is drawn from the state.

import { Act } from "/act.js";
import { draw, die } from "/cards.js";
import { Connection } from "/connection.js";
import { keep, make, say, set } from "/dom.js";
import { felt, show, who } from "/felt.js";
import { State } from "/state.js";
import { words } from "/words.js";

const PICTURES = { cards: () => ["AS", "KH", "QD"].map(draw), dice: () => ["A", "A", "K", "Q", "9"].map((face) => die(face)) };
const ABOUT = { liarsdice: "dice", liedie: "dice" };

const state = new State();
const main = document.querySelector("#main");
const page = { table: felt(), lobby: lobby() };
const act = new Act((move) => connection.ask({ line: `/at ${state.shown} ${move}` }));
const wish = { game: null, table: location.pathname.startsWith("/t/") ? location.pathname.slice(3) : null };
let redraw = false;
let told = "";

main.prepend(page.lobby, page.table, act.section);

const connection = new Connection(`${location.protocol.replace("http", "ws")}//${location.host}/ws`, heard, changed);

function heard(packet) {
  state.hear(packet);
  if (packet.prompt !== undefined) answer();
  if (packet.name) arrived();
  if (!redraw) {
    redraw = true;
    requestAnimationFrame(paint);
    setTimeout(paint, 100); // a hidden tab has no animation frames, and its title matters
  }
}

function changed(what, seconds) {
  if (what === "connecting") state.begin();
  const text = words[what];
  const status = document.querySelector("#connection");
  say(status, typeof text === "function" ? text(seconds) : text);
  status.dataset.state = what;
}

/** Answer the server's prompts that need nobody: who wants to play now is a guest. */
function answer() {
  if (!state.prompt || state.loggedIn) return;
  const kept = read("resume");
  if (kept && /^login/iu.test(state.prompt.text) && !answer.resumed) {
    answer.resumed = true;
    const seen = [...state.tables.values()].map((table) => `${table.number}:${table.seq}`);
    connection.ask({ line: ["resume", kept, ...seen].join(" ") });
  } else if (wish.game || wish.table) {
    connection.ask({ line: /^login/iu.test(state.prompt.text) ? "guest" : "" });
  }
}

function arrived() {
  answer.resumed = false;
  if (wish.game) connection.ask({ line: `/quick ${wish.game}` });
  else if (wish.table) connection.ask({ line: `/sit ${wish.table}${location.hash ? ` ${location.hash.slice(1)}` : ""}` });
  wish.game = wish.table = null;
  for (const get of ["rooms", "people", "tables"]) connection.ask({ get });
}

function paint() {
  if (!redraw) return;
  redraw = false;
  if (state.resume) write("resume", state.resume.token);
  const table = state.table;
  page.table.hidden = !table;
  page.lobby.hidden = Boolean(table);
  act.section.hidden = !table;
  say(document.querySelector("#where"), table ? words.tableOf(title(table.game), table.number) : words.lobby);
  if (table) {
    show(page.table, table);
    act.show(table);
  } else paintLobby();
  paintLog();
  paintLists();
  tellTurn(table);
}

/** Tell a screen reader of each turn once, and the tab's title for as long as it lasts. */
function tellTurn(table) {
  const mine = table?.state === "playing" && table.mine && table.count > 0;
  const place = state.hello?.place ?? "lilygames";
  document.title = mine ? `● ${words.yourTurn}: ${title(table.game)} ${table.number}` : place;
  const key = mine ? `${table.number}/${table.seq}` : "";
  if (key === told) return;
  told = key;
  const stands = mine ? (table.picture?.middle ?? []).join(". ") : "";
  say(document.querySelector("#alert"), mine ? `${words.yourTurn}. ${stands}` : "");
}

function title(game) {
  return words.games[game] ?? game.slice(0, 1).toUpperCase() + game.slice(1);
}

// lobby

function lobby() {
  return make("section.lobby", { "aria-labelledby": "welcome" }, make("h2", { id: "welcome" }, words.welcome),
    make("p.pick", {}, words.pick), make("ul.games"), make("p.here", { role: "status" }), make("ul.tables"));
}

function paintLobby() {
  const games = state.hello?.games ?? [];
  keep(page.lobby.querySelector(".games"), games.map((game) => [game, () => {
    const sample = PICTURES[ABOUT[game] ?? "cards"]();
    const button = make("button.game", { type: "button" }, make("strong", {}, title(game)),
      make("span.sample", { "aria-hidden": "true" }, ...sample), make("span.go", {}, words.play(title(game))));
    button.addEventListener("click", () => playNow(game));
    return make("li", {}, button);
  }]));
  say(page.lobby.querySelector(".here"), state.place ? words.here(state.place.people ?? state.people.length) : "");
  const tables = state.place?.tables ?? [];
  keep(page.lobby.querySelector(".tables"), tables.map((one) => [one.number, () => tableRow(one)]));
}

function tableRow(one) {
  const sits = one.open > 0 && one.state === "waiting";
  const button = make("button", { type: "button" }, sits ? words.sit : words.watch);
  button.addEventListener("click", () => (state.loggedIn ? connection.ask({ line: `/${sits ? "sit" : "watch"} ${one.number}` })
    : begin({ table: String(one.number) })));
  return make("li", {}, make("span", {}, `${words.tableOf(title(one.game), one.number)}: ${words.listed(one.players)}`), button);
}

function playNow(game) {
  if (state.loggedIn) connection.ask({ line: `/quick ${game}` });
  else begin({ game });
}

function begin(wanted) {
  Object.assign(wish, wanted);
  answer();
}

// beside the table

function paintLog() {
  const log = document.querySelector("#log");
  const atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 40;
  keep(log, state.rows.map((row) => [row.key, () => logRow(row)]));
  if (atEnd) log.scrollTop = log.scrollHeight;
}

function logRow(row) {
  if (row.kind === "said") {
    const from = row.how === "private" ? words.private(row.by) : row.by;
    return make("div.said", {}, make("b", {}, from), row.how === "emote" ? " " : ": ", make("span", {}, row.text));
  }
  return make(`div.${row.kind}${row.by ? ".theirs" : ""}`, {}, row.text);
}

function paintLists() {
  keep(document.querySelector("#people ul"), state.people.map((one) => [one.name, () => make("li", {}, one.name)]));
  keep(document.querySelector("#rooms ul"), state.rooms.map((one) => [one.name, () => make("li", {}, one.name)]));
}

document.querySelector("#say").addEventListener("submit", (event) => {
  event.preventDefault();
  const field = document.querySelector("#line");
  const line = field.value;
  field.value = "";
  if (line.trim() || state.prompt) connection.ask({ line });
});

addEventListener("keydown", (event) => {
  const field = document.querySelector("#line");
  if (event.key === "/" && !event.target.matches("input") && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    field.value = "/";
    field.focus();
  } else if (event.key === "Escape" && event.target === field) act.section.focus();
});

// what this browser keeps

function read(key) {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null; // storage is blocked: a reload of the page is a new visit then
  }
}

function write(key, value) {
  try {
    if (read(key) !== value) sessionStorage.setItem(key, value);
  } catch {
    return;
  }
}

for (const [name, label] of [["four-colours", words.fourColours], ["still", words.still]]) {
  const button = make("button", { type: "button", "aria-pressed": "false" }, label);
  button.addEventListener("click", () => {
    const on = document.documentElement.classList.toggle(name);
    set(button, { "aria-pressed": String(on) });
  });
  document.querySelector("#settings").append(button);
}
