// A party at the table: its code for the others as long as it waits for them, and a phone that stays on.

import { make, say, set } from "/dom.js";
import { words } from "/party-words.js";
import { awake } from "/wake.js";

export function partyTable(place) {
  const title = make("strong"), how = make("span"), screen = make("a", { target: "_blank" }, words.television);
  const section = make("p.party-code", { hidden: true }, title, " ", how, " ", screen);
  const now = () => (place.view === "table" ? place.state.table : null);
  const look = awake(() => Boolean(now()?.party) && now().state !== "over");
  document.querySelector("#main").prepend(section);
  return {
    paint() {
      const table = now();
      look();
      document.body.classList.toggle("at-party", Boolean(table?.party));
      section.hidden = !(table?.party && table.state === "waiting");
      if (section.hidden) return;
      say(title, words.code(table.party));
      say(how, words.invites(location.host, table.party));
      set(screen, { href: `/tv/${table.party}` });
    },
  };
}
