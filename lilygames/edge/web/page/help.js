// Help pages in a dialog: the same pages as `/help`, with links to each other.

import { button, dialog, field } from "/dialog.js";
import { make } from "/dom.js";
import { words } from "/words.js";

/** A page in the text: two words only at the end of a sentence, since the second one could go on with it. */
const LINK = /(\/help (?:[a-z-]+ [a-z-]+(?=[.,:;)]|$)|[a-z-]+))/u;

export function help(place, page = "") {
  const text = make("pre.page", { tabindex: "0", "aria-live": "polite" });
  const visited = [];
  const back = button(words.back, () => show(visited.splice(-2)[0] ?? ""));
  const form = make("form.row", { role: "search" }, field(words.searchHelp, { name: "sought", autocomplete: "off" }),
    make("button", { type: "submit" }, words.search));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const sought = new FormData(form).get("sought").trim();
    if (sought) show(`search ${sought}`);
  });
  const box = dialog(words.help, make("div.row", {}, back, button(words.firstPage, () => show(""))), text, form);
  box.classList.add("wide");

  async function show(name) {
    visited.push(name);
    back.hidden = visited.length < 2;
    const lines = await page_(place, name);
    text.replaceChildren(...lines.flatMap((line) => [...linked(line), "\n"]));
    text.scrollTop = 0;
  }

  /** Return a line with a button for each page that it names. */
  function linked(line) {
    const named = visited.at(-1).startsWith("search ") ? /([a-z][a-z-]+)(?=,|\.| and |$)/u : LINK;
    return line.split(new RegExp(named, "gu")).map((part) => (named.test(part) && part.match(named)[0] === part
      ? button(part, () => show(part.replace("/help ", "")), "button.link") : part));
  }

  return show(page);
}

/** Return the lines of a page: before someone logs in, the login prompt knows the pages. */
async function page_(place, name) {
  const word = place.state.loggedIn ? "/help" : "help";
  const { error, lines } = await place.look({ line: `${word} ${name}`.trim() });
  return lines.length ? lines : [error?.text ?? words.lostPage];
}
