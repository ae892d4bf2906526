// Your own notes at a table, in a dialog. Nobody else sees them.

import { button, dialog, field } from "/dialog.js";
import { keep, make, say } from "/dom.js";
import { words } from "/words.js";

export function notes(place, number) {
  const now = () => place.state.tables.get(number);
  const about = field(words.noteAbout, { maxlength: "16", autocomplete: "off", autofocus: true });
  const text = field(words.noteText, { maxlength: "200", autocomplete: "off" });
  const said = make("p.note", { role: "status" }), list = make("ul.rows");
  const form = make("form", {}, about, text, make("div.row", {}, make("button.go", { type: "submit" }, words.saveNote)), said);
  const [subject, written] = [about, text].map((one) => one.querySelector("input"));
  const write = async (on, what) => {
    const { error } = await place.look({ line: `/at ${number} note ${on} ${what}`.trim() });
    say(said, error?.text ?? "");
    paint();
    return !error;
  };
  const remove = async (on) => {
    await write(on, "");
    subject.focus();
  };
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const on = subject.value.trim().replace(/\s+/gu, "-");
    if (on && written.value.trim() && await write(on, written.value.trim())) subject.value = written.value = "";
  });
  function paint() {
    keep(list, Object.entries(now()?.notes ?? {}).map(([on, what]) => [`${on} ${what}`, () => make("li", {}, make("span", {}, words.notedOn(on, what)),
      button(words.deleteNote, () => remove(on), "button.link", { "aria-label": words.deleteNoteOn(on) }))]));
  }
  paint();
  return dialog(words.notes, make("p", {}, words.notesNote), list, form);
}
