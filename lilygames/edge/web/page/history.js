// Someone's finished games and statistics: a list to replay from, and small plots with the same numbers in tables.

import { button } from "/dialog.js";
import { keep, make, say } from "/dom.js";
import { bars, line } from "/plot.js";
import { titleOf, words } from "/words.js";

export function view(place) {
  const title = make("h2", { id: "games-title", tabindex: "-1" });
  const note = make("p.note", { role: "status" }), stats = make("div.stats"), costly = make("div.costly"), list = make("ul.rows");
  const section = make("section.games-view", { "aria-labelledby": "games-title" },
    make("div.row.top", {}, title, button(words.back, () => place.close())), note, stats,
    costly, make("h3", {}, words.finishedGames), list);
  let shown = null;

  async function load(name) {
    const own = name === place.state.name;
    const [about, played] = await Promise.all(["stats", "played"].map((get) => place.look({ get, ...(own ? {} : { name }) })));
    if (shown !== name) return;
    const found = about.packets.find((packet) => packet.stats)?.stats;
    say(note, about.error?.text ?? (found.account ? (found.games.length ? "" : words.noStats) : words.guestsHaveNone));
    keep(stats, (found?.games ?? []).map((one) => [`${name} ${one.game} ${one.games}`, () => ofGame(one)]));
    keep(costly, own ? await costlyMoves(place) : []);
    const games = played.packets.find((packet) => packet.played)?.played.games ?? [];
    keep(list, games.length ? games.map((one) => [`${name} ${one.number}`, () => row(place, one)])
      : [["none", () => make("li", {}, make("p.none", {}, words.noGames))]]);
  }

  return {
    section,
    paint() {},
    /** The address of someone's own page. */
    get address() {
      return shown && `/u/${shown}`;
    },
    show(name = place.state.name) {
      shown = name;
      say(title, name === place.state.name ? words.myGames : words.gamesOfName(name));
      say(note, words.oneMoment);
      load(name);
      setTimeout(() => title.focus());
    },
  };
}

/** Return your costliest moves, each with a link into its replay; nothing if no review has found any. */
async function costlyMoves(place) {
  const { packets } = await place.look({ get: "mistakes" });
  const moves = packets.find((packet) => packet.mistakes)?.mistakes ?? [];
  if (!moves.length) return [];
  return [["head", () => make("h3", {}, words.costliestMoves)], ["list", () => make("ul.rows"), (list) => keep(list, moves.map((one) =>
    [`${one.table} ${one.step}`, () => make("li", {}, make("a", { href: `/g/${one.table}#${one.step}` }, words.costlyAt(titleOf(one.game), one)),
      make("span.soft", {}, words.costly(one)))]))]];
}

function row(place, one) {
  const title = words.tableOf(titleOf(one.game), one.number);
  return make("li", {}, make("span", {}, make("b", {}, title), make("span.soft", {}, words.result(one))),
    one.shut ? make("span.soft", {}, words.shut)
      : button(words.replay, () => place.open("replay", one.number), "button", { "aria-label": `${words.replay}: ${title}` }));
}

/** Return the statistics of one game. */
function ofGame(one) {
  const recent = one.recent.map((game) => words.day(game.at));
  const figures = one.ratings.filter((rating) => rating.recent.length > 1).map((rating) => line(
    words.ratingAt(rating.seats, rating.now), rating.recent.map((value, number) => [words.gameNumber(number + 1), value])));
  if (one.recent.length > 1) figures.push(bars(words.scores(one.unit), one.recent.map((game, number) => [recent[number], game.score])));
  for (const attempt of one.attempts.filter(({ kinds }) => kinds.length > 1)) {
    figures.push(bars(words.attempts(attempt), attempt.kinds.map((kind) => [kind.what, Math.round(100 * kind.hits / kind.of), words.outOf(kind)]), 100));
  }
  const rest = one.attempts.filter(({ kinds }) => kinds.length < 2).map((attempt) => make("li", {}, words.attempts(attempt)));
  return make("section", { "aria-label": titleOf(one.game) }, make("h3", {}, titleOf(one.game)),
    make("p", {}, words.summary(one)), rest.length ? make("ul.plain", {}, ...rest) : null, make("div.figures", {}, ...figures),
    one.rivals.length ? make("p.soft", {}, words.rivals(one.rivals)) : null);
}
