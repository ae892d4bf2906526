// One person, in a dialog: what they say of themselves, a line to them alone, their games, and not hearing them.

import { button, dialog } from "/dialog.js";
import { make } from "/dom.js";
import { words } from "/words.js";

export async function person(place, name) {
  const about = make("pre.page"), note = make("p.note", { role: "status" });
  const text = make("input", { id: "private", autocomplete: "off", maxlength: "1000", autofocus: true });
  const form = make("form.row", {}, make("label.hidden", { for: "private" }, words.writeTo(name)), text,
    make("button.go", { type: "submit" }, words.send));
  const own = name === place.state.name;
  const does = async (line, done) => {
    const { error } = await place.look({ line });
    note.textContent = error?.text ?? done;
    return !error;
  };
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (text.value.trim() && await does(`/tell ~${name} ${text.value.trim()}`, words.sentTo(name))) text.value = "";
  });
  const box = dialog(name, about, ...(own ? [] : [form]), note, make("div.row", {},
    button(words.gamesOf, () => {
      box.close();
      place.open("history", name);
    }),
    make("a", { href: `/u/${name}` }, words.pageOf),
    ...(own ? [] : [button(words.ignore, () => does(`/ignore ${name} all`, words.ignored(name))),
      button(words.unignore, () => does(`/unignore ${name}`, words.unignored(name)))])));
  about.textContent = (await place.look({ line: `/finger ${name}` })).lines.join("\n");
}
