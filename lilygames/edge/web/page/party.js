// Joining a party with its code, and opening one: `/j/PEAR42` asks for a name and nothing else.

import { answer, ready } from "/account.js";
import { button, field } from "/dialog.js";
import { keep, make, say } from "/dom.js";
import { words } from "/party-words.js";
import { titleOf } from "/words.js";

export function view(place) {
  const title = make("h2", { id: "party-title" }), about = make("p"), refused = make("p.error", { role: "alert" }), games = make("ul.row");
  const form = make("form.account", {}, field(words.name, { name: "name", autocomplete: "nickname", autocapitalize: "words",
    spellcheck: "false", required: true, maxlength: "16" }), make("p.note", {}, words.nameNote));
  const named = form.firstChild, note = form.lastChild;
  form.append(make("div.row", {}, make("button.go", { type: "submit" }, words.go)));
  const section = make("section.party", { "aria-labelledby": "party-title" }, title, about, form, games, refused);
  let code = "", busy = false, fresh = false;

  /** Send a line as whoever is here, and go to the table; show why that isn't possible. */
  async function go(line) {
    const error = await place.enter(line);
    say(refused, error?.text ?? "");
    if (!error) place.close();
  }

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (busy) return;
    busy = true;
    const name = new FormData(form).get("name").trim();
    const problem = place.state.loggedIn ? "" : await enter(place, name);
    say(refused, problem);
    if (!problem) await go(`/sit ${code}`);
    busy = false;
  });

  return {
    section,
    get address() {
      return code ? `/j/${code}` : null;
    },
    show(found) {
      code = (found ?? "").toUpperCase();
      say(refused, "");
      fresh = true;
    },
    paint() {
      const { loggedIn, hello } = place.state;
      say(title, code ? words.join(code) : words.title);
      say(about, code ? "" : `${words.pick} ${words.pickGame}`);
      form.hidden = !code;
      named.hidden = note.hidden = loggedIn;
      named.querySelector("input").required = !loggedIn;
      games.hidden = Boolean(code);
      if (fresh && code && !loggedIn) named.querySelector("input").focus();
      fresh = false;
      keep(games, (hello?.games ?? []).map((name) => [name, () => make("li", {}, button(titleOf(name), () => go(`/party ${name}`)))]));
    },
  };
}

/** Become a guest of this name; return why that isn't possible. */
async function enter(place, name) {
  await ready(place);
  let { asks, error } = await answer(place, name);
  if (asks === "password") {
    await answer(place, "");
    return words.taken(name);
  }
  if (asks === "new-password") ({ asks, error } = await answer(place, ""));
  return place.state.loggedIn ? "" : error?.text ?? words.tryAgain;
}
