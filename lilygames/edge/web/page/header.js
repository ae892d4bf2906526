// The top of the page: where you are, your other tables, and the connection.

import { hide, keep, make, say, set } from "/dom.js";
import { isYourTurn } from "/state.js";
import { titleOf, words } from "/words.js";

const NEWS = 6000;

export function header(place) {
  const { state } = place;
  const status = document.querySelector("#connection"), where = document.querySelector("#where");
  const tabs = make("nav", { id: "tabs", "aria-label": words.yourTables, hidden: true });
  const here = make("button.go", { type: "button", id: "continue", hidden: true }, words.continueHere);
  status.after(here);
  const menu = document.querySelector("#menu"), more = make("button", { type: "button", id: "more", "aria-expanded": "false", "aria-controls": "menu" }, words.more);
  menu.before(more);
  const unfold = (shown) => {
    menu.classList.toggle("shown", shown);
    set(more, { "aria-expanded": String(shown) });
  };
  more.addEventListener("click", () => unfold(!menu.classList.contains("shown")));
  menu.addEventListener("click", () => unfold(false));
  document.querySelector("header").append(tabs);
  here.addEventListener("click", () => place.connection.goOn());
  let lost = false, dead = false, until = 0, left = 0, timer = null;

  const count = () => {
    left = Math.max(0, Math.ceil((until - performance.now()) / 1000));
    say(status.firstChild, words.lost(left));
    clearTimeout(timer);
    if (left > 0) timer = setTimeout(count, 1000);
  };
  const back = () => {
    lost = false;
    state.news = 0;
    setTimeout(() => status.dataset.state === "connected" && say(status.firstChild, words.resumed(state.news)), 800);
    setTimeout(() => status.dataset.state === "connected" && say(status.firstChild, words.connected), NEWS);
  };
  status.replaceChildren(make("span"));

  return {
    heard(packet) {
      if (lost && packet.you && state.tables.size) back();
    },
    changed(what, seconds) {
      const shown = words.goodbyes[state.goodbye] && what !== "connecting" && what !== "connected" ? state.goodbye : what;
      clearTimeout(timer);
      lost ||= ["lost", "dead", "restarting"].includes(shown);
      dead = shown === "dead" || (dead && shown === "connecting"); // why it connects again, until it's connected
      status.dataset.state = shown;
      document.documentElement.classList.toggle("off", shown !== "connected");
      hide(here, !words.goodbyes[shown]);
      if (shown === "lost" && seconds) {
        until = performance.now() + 1000 * seconds;
        count();
      } else say(status.firstChild, words.goodbyes[shown] ?? (dead ? words.dead : words[shown]));
    },
    paint() {
      const { table, tables } = state;
      say(where, place.view === "table" && table ? words.tableOf(titleOf(table.game), table.number) : words[place.view] ?? words.lobby);
      hide(tabs, tables.size < 2);
      keep(tabs, [...tables.values()].map((one) => [one.number, () => tab(place, one), (button) => {
        const turn = isYourTurn(one);
        button.classList.toggle("turn", turn);
        say(button.querySelector(".hidden"), turn ? words.yourTurnHere : "");
        set(button, { "aria-current": one === table ? "true" : null });
      }]));
    },
  };
}

function tab(place, { number, game }) {
  const button = make("button", { type: "button" }, words.tableOf(titleOf(game), number), make("span.hidden"));
  button.addEventListener("click", () => {
    place.state.shown = number;
    place.close();
  });
  return button;
}
