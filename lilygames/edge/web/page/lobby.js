// The lobby: the games, today's deals, open tables, what is coming, and who is here. Nobody has to log in to see it.

import { die, draw } from "/cards.js";
import { button } from "/dialog.js";
import { keep, make, say } from "/dom.js";
import { withLoaded } from "/load.js";
import { titleOf, words } from "/words.js";

const fan = (...cards) => cards.map((card) => draw(card));
const dice = (...faces) => faces.map((face) => die(face));
const tiles = (digits) => [make("span.number", {}, ...[...digits].map((digit) => make("span", {}, digit)))];
const slips = (...texts) => texts.map((text) => make("span.slip", {}, text));
const SAMPLES = {
  ohell: () => fan("AS", "KH", "QD"),
  wizard: () => fan("W", "9C", "J"),
  liarsdice: () => dice("A", "A", "K", "Q", "9"),
  liedie: () => dice("6", "5", "5", "2", "1"),
  liarspoker: () => tiles("36564"),
  liarslair: () => slips(...words.slips),
  lilypoker: () => fan("TS", "JS", "QS", "KS", "AS"),
};

/** How often the lobby looks who is here and what they play, in milliseconds. */
const AGAIN = 20000;
const ORDER = Object.keys(SAMPLES);

/** Compare games by their place in the lobby; those that this page doesn't know come last. */
function inOrder(one, other) {
  const [here, there] = [one, other].map((name) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length));
  return here - there || one.localeCompare(other);
}

export function lobby(place) {
  const refused = make("p.error.refused", { role: "alert" }), invitation = make("div.invitation", { hidden: true }), seats = make("ul.rows"), games = make("ul.games");
  const boards = make("div.boards");
  const list = (name, ...more) => {
    const rows = make("ul.rows");
    boards.append(make("section", { "aria-labelledby": `lobby-${name}` },
      make("h3", { id: `lobby-${name}` }, words.boards[name]), rows, ...more));
    return rows;
  };
  const tables = list("tables"), coming = list("coming"), people = list("here");
  const section = make("section.lobby", { "aria-labelledby": "welcome" },
    make("h2", { id: "welcome" }, words.welcome), make("p.pick", {}, words.pick), refused, invitation, seats, games, boards);
  document.querySelector("#main").prepend(section);
  const enter = async (line) => {
    const error = await place.enter(line);
    say(refused, error?.text ?? "");
    if (error) refused.scrollIntoView({ block: "nearest" });
    else if (/ join /u.test(line)) look();
  };
  const deals = deal(enter);
  const look = () => place.state.loggedIn && !section.hidden && !document.hidden
    && Promise.all([place.ask({ get: "place" }), place.ask({ get: "daily" })]);
  setInterval(look, AGAIN);
  let invited = place.invited;
  return {
    heard(packet) {
      if (packet.daily) deals.results = packet.daily;
      if (packet.name) setTimeout(look, 1000); // first comes what someone has clicked
    },
    paint() {
      const before = section.hidden;
      section.hidden = place.view !== "lobby";
      if (section.hidden) return;
      if (before) look();
      const { hello, place: about, tables: mine } = place.state;
      if (invited && about) invite(place, invitation, invited, () => (invited = null));
      keep(seats, [...mine.values()].filter((one) => one.seat !== null && one.state !== "over")
        .map((one) => [one.number, () => seat(place, one)]));
      const tilesOf = (hello?.games ?? []).toSorted(inOrder).map((name) => [name, () => game(place, enter, name)]);
      keep(games, [...tilesOf, ["deal", () => deals.element]]);
      deals.paint((about?.daily?.games ?? []).toSorted(inOrder));
      rows(tables, (about?.tables ?? []).map((one) => table(enter, one)), words.noTables);
      rows(coming, (about?.events ?? []).map((one) => event(enter, one)), words.nothingComing);
      const here = about?.who ?? [];
      const rest = (about?.people ?? 0) - here.length;
      rows(people, here.length ? [["here", here.join(), () => make("p", {}, words.listed(rest > 0
        ? [...here, words.others(rest)] : here))]] : [], words.nobodyHere);
    },
  };
}

/** Show rows of [key, content, make], each made anew when its content changes; without any, a sentence. */
function rows(list, items, none) {
  keep(list, (items.length ? items : [["none", none, () => make("p.none", {}, none)]])
    .map(([key, content, create]) => [`${key} ${content}`, () => make("li", {}, ...[create()].flat())]));
}

function game(place, enter, name) {
  const title = titleOf(name);
  const play = make("button.game", { type: "button" }, make("strong", {}, title),
    make("span.about", {}, words.about[name] ?? ""),
    make("span.sample", { "aria-hidden": "true" }, ...(SAMPLES[name]?.() ?? fan("AS", "KH", "QD"))),
    make("span.start", {}, words.play(title)));
  play.addEventListener("click", () => enter(`/quick ${name}`));
  return make("li", {}, play, make("p.more", {},
    button(words.lesson, () => enter(`/learn ${name}`), "button.link", { "aria-label": words.lessonOf(title) }),
    button(words.rules, () => withLoaded("/help.js", ({ help }) => help(place, name)), "button.link",
      { "aria-label": words.rulesOf(title) })));
}

/** Return the tile of today's deals: a button for each game, with your result once you have played it. */
function deal(enter) {
  const list = make("ul"), streak = make("p.streak");
  const element = make("li.deals", {}, make("h3", {}, words.todaysDeals), make("p", {}, words.aboutDeals), list, streak);
  return {
    element,
    results: null,
    paint(games) {
      const found = new Map((this.results?.deals ?? []).map((one) => [one.game, one]));
      keep(list, games.map((name) => {
        const mine = found.get(name), done = mine ? words.dealStands(mine) : "";
        return [`${name} ${done}`, () => make("li", {}, button(titleOf(name), () => enter(`/daily ${name}`), "button",
          { "aria-label": words.dealOf(titleOf(name), done) }), make("span", { "aria-hidden": "true" }, done))];
      }));
      say(streak, this.results?.streak > 1 ? words.streak(this.results.streak) : "");
    },
  };
}

function seat(place, one) {
  return make("li", {}, make("span", {}, words.yourSeat(titleOf(one.game), one.number)), button(words.goOn, () => {
    place.state.shown = one.number;
    place.close();
  }, "button.go"));
}

function table(enter, one) {
  const title = words.tableOf(titleOf(one.game), one.number);
  const sits = one.open > 0 && one.state === "waiting";
  const verb = sits ? words.sit : words.watch;
  return [one.number, [one.state, one.open, ...one.players].join(), () => [
    make("span", {}, make("b", {}, title), make("span.soft", {}, words.tableStands(one))),
    button(verb, () => enter(`/${sits ? "sit" : "watch"} ${one.number}`), "button",
      { "aria-label": `${verb}: ${title}` }),
  ]];
}

function event(enter, one) {
  const what = one.kind === "event" ? "event" : "tournament";
  const id = one.kind === "event" ? one.number : one.title;
  const title = one.game ? `${titleOf(one.game)}: ${one.title}` : one.title;
  const verb = one.away ? words.back : words.join;
  return [`${what} ${id}`, [one.joined, one.mine, one.away, one.at, one.state].join(), () => [
    make("span", {}, make("b", {}, title), make("span.soft", {}, words.eventStands(one))),
    one.mine ? make("span.soft", {}, words.joined)
      : button(verb, () => enter(`/${what} join ${id}`), "button", { "aria-label": `${verb}: ${title}` }),
  ]];
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
