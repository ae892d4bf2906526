// The lobby: the games, whom to join, whom to watch, and what is on today. It takes over the elements that the page came
// with, and the server tells it what changes. Nobody has to log in to see it.

import { button } from "/dialog.js";
import { face } from "/face.js";
import { felt } from "/lobby-felt.js";
import { keep, make, say, set } from "/dom.js";
import { withLoaded } from "/load.js";
import { capital } from "/speech.js";
import { titleOf, words } from "/words.js";

const ORDER = ["ohell", "wizard", "liarsdice", "liedie", "liarspoker", "liarslair", "lilypoker"];
const COMING = 3, NAMED = 3;
const HOUR = 3600, DAY = 24 * HOUR;

/** Compare games by their place in the lobby; those that this page doesn't know come last. */
function inOrder(one, other) {
  const [here, there] = [one, other].map((name) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length));
  return here - there || one.localeCompare(other);
}

export function lobby(place) {
  const section = document.querySelector(".lobby"), beside = document.querySelector("#notices");
  const part = (name) => section.querySelector(name) ?? beside.querySelector(name);
  const refused = part(".refused");
  let results = null, following = false, invited = place.invited;
  const enter = async (line) => {
    const error = await place.enter(line);
    say(refused, error?.text ?? "");
    if (error) refused.scrollIntoView({ block: "nearest" });
  };
  const click = ({ target }) => {
    const chosen = target.closest("[data-line], [data-help], [data-view]");
    if (chosen?.dataset.help) withLoaded("/help.js", ({ help }) => help(place, chosen.dataset.help));
    else if (chosen?.dataset.view) place.open(chosen.dataset.view);
    else if (chosen) enter(chosen.dataset.line);
  };
  for (const box of [section, beside]) box.addEventListener("click", click);
  section.dataset.live = "";
  globalThis.early?.removeAttribute("aria-busy");
  globalThis.early?.click();
  setInterval(() => !section.hidden && count(section, beside), 1000);

  /** Ask for the news of the place while the lobby is shown, and no longer. */
  const follow = (wanted) => {
    if (wanted === following || !place.state.loggedIn) return;
    following = wanted;
    place.connection.ask({ get: "place", follow: wanted });
    if (wanted) place.connection.ask({ get: "daily" });
  };
  return {
    heard(packet) {
      if (packet.daily) results = packet.daily;
      if (packet.hello) following = false;
    },
    paint() {
      const { place: about, tables: mine } = place.state, shown = place.view === "lobby";
      section.hidden = beside.hidden = !shown;
      document.body.classList.toggle("in-lobby", shown);
      follow(shown);
      if (!shown) return;
      if (invited && about?.tables) invite(place, part(".invitation"), invited, () => (invited = null));
      list(part(".mine"), [...mine.values()].filter((one) => one.seat !== null && one.state !== "over")
        .map((one) => [one.number, () => seat(place, one)]));
      if (!about?.daily) return;
      say(part(".pick"), company(about));
      keep(part(".waits"), about.waiting.length ? about.waiting.map(waits) : [["none", () => make("li.none", {}, words.nobodyWaits)]]);
      list(part(".playing > ul"), about.playing.map((one) => felt(one)), part(".playing"));
      list(part(".coming > ul"), about.events.slice(0, COMING).map((one) => event(one)), part(".coming"));
      list(part(".ranked"), about.top ? ranked(about.top) : []);
      list(part(".brief"), brief(about, results));
      today(part(".today"), about.daily.games.toSorted(inOrder), results);
      const friends = about.friends ?? [];
      part(".friends").hidden = !friends.length;
      say(part(".friends p"), words.listed(friends));
      count(section, beside);
    },
  };
}

/** Show a list of [key, make]; without any, hide it, or the `box` around it. */
function list(element, items, box = element) {
  keep(element, items);
  if (box.hidden !== !items.length) box.hidden = !items.length;
}

/** Show how long it takes until each of the times here. */
function count(...boxes) {
  for (const clock of boxes.flatMap((box) => [...box.querySelectorAll("[data-at]")])) {
    const at = Number(clock.dataset.at), left = Math.floor(at - Date.now() / 1000);
    say(clock, left <= 0 ? words.now : left < HOUR ? words.left(left) : left < DAY ? words.clock(at) : words.time(at));
  }
}

function company({ who, people }) {
  if (!who.length) return words.pick;
  const named = who.slice(0, NAMED), rest = people - named.length;
  return words.company(rest > 0 ? [...named, words.others(rest)] : named, people);
}

/** Return the row of a table that someone can join: a key, and what makes it. */
function waits({ table, game, names, bots, free, now }) {
  const title = titleOf(game), people = words.listed(names.slice(0, 2));
  return [`${table} ${[...names, bots, free, now].join()}`, () => make("li", {}, face(names[0]),
    make("span", {}, make("b", {}, people), ` ${words.waits(names.length, now)}`,
      make("span.soft", {}, now ? words.waitsFor(title, free) : words.playsWith(title, bots))),
    make("button.go", { type: "button", "data-line": `/sit ${table}`, "aria-label": words.joinAt(people, title) }, words.join))];
}

/** Return the title of an event or a tournament; the place's own are called after their game. */
function entitled({ game, title, by }) {
  if (!game) return title;
  const own = !by && title.startsWith(`${game}-`);
  return own ? `${titleOf(game)} ${capital(title.slice(game.length + 1))}` : `${titleOf(game)}: ${title}`;
}

function event(one) {
  const what = one.kind === "event" ? "event" : "tournament";
  const title = entitled(one);
  const id = what === "event" ? one.number : one.title, line = `/${what} join ${id}`;
  const verb = one.away ? words.returns : words.join;
  return [`${what} ${id} ${[one.joined, one.mine, Boolean(one.away), one.at, one.state]}`, () => make("li", {},
    make("span", {}, make("b", {}, title), make("span.soft", {}, words.eventStands(one))),
    make("time", { "data-at": one.at }),
    one.mine ? make("span.soft", {}, words.joined)
      : make("button.go", { type: "button", "data-line": line, "aria-label": `${verb}: ${title}` }, verb))];
}

/** Return the two tiles that a narrow screen shows first: what comes next, and today's deal. */
function brief({ events, daily }, results) {
  const tiles = [];
  const next = events.find(({ at }) => at * 1000 > Date.now());
  if (next) {
    tiles.push([`next ${next.kind} ${next.title} ${next.at} ${next.mine}`, () => make("li.felted", {}, make("b", {}, entitled(next)),
      make("span", {}, words.starts, make("time", { "data-at": next.at })))]);
  }
  const deal = toPlay(daily.games.toSorted(inOrder), results);
  if (deal) {
    const text = results?.streak > 1 ? words.keepStreak(results.streak) : words.playDeal(titleOf(deal));
    tiles.push([`deal ${deal} ${text}`, () => make("li", {}, make("button", { type: "button", "data-line": `/daily ${deal}` },
      make("b", {}, words.todaysDeal), make("span", {}, text)))]);
  }
  return tiles;
}

/** Return the first of today's deals that you haven't finished. */
function toPlay(games, results) {
  const done = new Set((results?.deals ?? []).filter(({ state }) => ["played", "closed"].includes(state)).map(({ game }) => game));
  return games.find((game) => !done.has(game));
}

/** Show today's deals: the week, your streak, and a button for each game, with your result once you have played it. */
function today(box, games, results) {
  const found = new Map((results?.deals ?? []).map((one) => [one.game, one]));
  [...box.querySelectorAll(".week i")].forEach((square, number) => {
    square.classList.toggle("on", Boolean(results?.week?.[number]));
    set(square.parentElement, { "aria-label": results?.week?.[number] ? words.playedOn(square.parentElement.textContent) : null });
  });
  say(box.querySelector(".in-a-row"), results?.streak > 1 ? words.streak(results.streak) : words.aboutDeals);
  const first = toPlay(games, results);
  keep(box.querySelector("ul"), games.map((name) => {
    const mine = found.get(name), done = mine ? words.dealStands(mine) : "";
    return [`${name} ${done}`, () => make("li", {},
      make("button", { type: "button", "data-line": `/daily ${name}`, "aria-label": words.dealOf(titleOf(name), done) }, titleOf(name)),
      done ? make("span.soft", { "aria-hidden": "true" }, done) : null), (row) => {
      row.classList.toggle("first", name === first);
    }];
  }));
}

function ranked({ game, rows }) {
  return [
    [`head ${game}`, () => make("div.row.top", {}, make("h3", {}, words.ladderOf(titleOf(game))),
      make("a", { href: `/standings/${game}` }, words.all))],
    [rows.join(), () => make("ol", {}, ...rows.map(([name, rating], number) => make("li", {}, make("span", {}, `${number + 1}`),
      face(name), make("b", {}, name), make("span", {}, rating.toFixed(1)))))],
  ];
}

function seat(place, one) {
  return make("li", {}, make("span", {}, words.yourSeat(titleOf(one.game), one.number)), button(words.goOn, () => {
    place.state.shown = one.number;
    place.close();
  }, "button.go"));
}

/** Show what became of a table that someone has followed a link to, and the way on. */
function invite(place, box, { number, word }, done) {
  const known = place.state.place.tables.find((one) => one.number === number);
  const dismiss = () => {
    box.hidden = true;
    history.replaceState(null, "", "/");
    done();
  };
  const refused = make("p.error", { role: "alert" });
  const go = (line) => async () => {
    const error = await place.enter(line);
    if (error) say(refused, error.text ?? words.tryAgain);
    else dismiss();
  };
  const sits = word || (known?.state === "waiting" && known.open > 0);
  const line = known || word || place.state.place.more ? (sits ? `/sit ${[number, word].join(" ").trim()}` : `/watch ${number}`) : null;
  const key = `${line}/${known?.state}`;
  keep(box, [[key, () => make("div", {},
    line ? make("p", {}, known ? words.invited(titleOf(known.game), known)
      : word ? words.invitedPrivately(number) : words.invitedToOther(number))
      : make("p.error", { role: "alert" }, words.noSuchInvitation(number)), refused,
    make("div.row", {}, line ? button(sits ? words.sit : words.watch, go(line), "button.go")
      : button(words.seeReplay, () => {
        dismiss();
        place.open("replay", number);
      }), button(words.notThis, dismiss)))]]);
  box.hidden = false;
}
