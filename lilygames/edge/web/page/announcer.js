// Tells a screen reader of each turn once, and the tab's title for as long as the turn lasts.

import { sharedVerb } from "/choices.js";
import { say } from "/dom.js";
import { inWords, valueInWords, who } from "/speech.js";
import { titleOf, words } from "/words.js";

/** Up to this many moves are said. */
const FEW = 4;
/** Makes equal words new, so that a turn right after one's own is said, too. */
const SILENT = "\u00a0";

export function announcer(place) {
  const alert = document.querySelector("#alert");
  let told = "";
  return {
    paint() {
      const { table, waiting, hello, tables } = place.state;
      const first = waiting.includes(table) ? table : waiting[0];
      document.title = first ? words.titleTurn(titleOf(first.game), first.number) : hello?.place ?? "lilygames";
      const key = waiting.map((one) => `${one.number}/${one.seq}`).join();
      if (key === told) return;
      const before = told.split(",");
      told = key;
      const fresh = waiting.filter((one) => !before.includes(`${one.number}/${one.seq}`));
      if (!fresh.length && waiting.length) return;
      const text = fresh.map((one) => announced(one, tables.size > 1)).join(" ");
      say(alert, text && text === alert.textContent ? `${text}${SILENT}` : text);
    },
  };
}

/** Return what someone has to know whose turn it is: `Your turn. Do you believe it? Ada says to you: 3 3 6 6 2.` */
export function announced(table, several) {
  const { picture, ask } = table;
  const said = [several ? words.turnAt(titleOf(table.game), table.number) : words.yourTurn];
  if (ask) said.push(ask.question);
  if (picture?.quote) {
    const { speaker, hearer, text, say: aloud } = picture.quote;
    said.push(words.heardTo(who(table, speaker), hearer === null ? "" : who(table, hearer), aloud || inWords(text)));
  }
  said.push(...(picture?.middle ?? []).map(inWords));
  const own = picture?.seats.find((one) => one.seat === table.seat);
  const stands = own?.values.map((value, at) => (picture.columns[at].unit ? "" : valueInWords(value, picture.columns[at])));
  said.push(...(stands ?? []));
  if (ask?.held?.worth) said.push(words.heldWorth(ask.held.label, ask.held.worth));
  if (table.count <= FEW && !sharedVerb(table.moves.map((one) => one.move))) said.push(words.youCan(table.moves.map((one) => one.say)));
  return said.filter(Boolean).map((text) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.?!]$/u.test(text) ? "" : "."}`).join(" ");
}
