// The table on the page, and your move below it.

import { Act } from "/act.js";
import { felt, show } from "/felt.js";
import { glide, spots } from "/motion.js";

export function table(place) {
  const section = felt(), act = new Act(place), main = document.querySelector("#main");
  main.append(section, act.section);
  return {
    paint() {
      section.hidden = place.view !== "table";
      if (section.hidden) {
        act.section.hidden = true;
        return;
      }
      const before = spots(main);
      show(section, place.state.table);
      act.show(place.state.table);
      glide(main, before);
    },
    changed() {
      if (place.state.table && place.view === "table") act.show(place.state.table);
    },
  };
}
