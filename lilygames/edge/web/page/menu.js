// The menu at the top: where to go, and who you are. What it opens is loaded then.

import { button } from "/dialog.js";
import { make, say, set } from "/dom.js";
import { withLoaded } from "/load.js";
import { choose, pref } from "/prefs.js";
import { words } from "/words.js";

export function menu(place) {
  const lobby = button(words.lobby, () => place.go("lobby"));
  const back = button(words.toTable, () => place.close());
  const games = button(words.myGames, () => place.open("history"));
  const account = button(words.logIn, () => withLoaded("/account.js", ({ account: ask }) => ask(place)), "button.account");
  const sound = button("", () => {
    choose("sound", pref("sound") === "on" ? "off" : "on");
    place.draw();
  }, "button.sound");
  document.querySelector("#menu").append(
    lobby, back, games,
    button(words.help, () => withLoaded("/help.js", ({ help }) => help(place))),
    button(words.settings, () => withLoaded("/settings.js", ({ settings }) => settings(place))),
    sound, account,
  );
  let shown = null;
  return {
    heard(packet) {
      const table = packet.table;
      if (table && table.seat !== null && table.number !== shown) place.close();
      if (table) shown = table.number;
    },
    paint() {
      const { state } = place;
      const mine = state.table?.state === "playing" && state.table.mine;
      lobby.hidden = place.view === "lobby";
      back.hidden = place.view === "table" || !state.table;
      games.hidden = !state.loggedIn;
      say(sound, words.soundIs(pref("sound") === "on"));
      set(games, { "aria-current": place.view === "history" ? "page" : null });
      back.classList.toggle("now", Boolean(mine));
      say(account, state.loggedIn ? state.name : words.logIn);
      set(account, { "aria-label": state.loggedIn ? words.accountOf(state.name) : null });
    },
  };
}
