// What you can do at a table besides moving: ask for a hint, read the rules, invite, leave; as a spectator, sit and talk.

import { button, dialog } from "/dialog.js";
import { make, say } from "/dom.js";
import { withLoaded } from "/load.js";
import { titleOf, words } from "/words.js";

export function tools(place) {
  const now = () => place.state.table;
  const at = (line) => () => place.ask({ line: `/at ${now().number} ${line}` });
  const hint = button(words.hint, at("hint"));
  const invite = button(words.inviteLink, () => link(place, now().number));
  const sit = button(words.sit, () => place.ask({ line: `/sit ${now().number}` }), "button.go");
  const rules = button(words.rules, () => withLoaded("/help.js", ({ help }) => help(place, now().game)));
  const notes = button(words.notes, () => withLoaded("/notes.js", ({ notes: write }) => write(place, now().number)));
  const leave = button(words.leave, () => leaving(place, now()));
  const text = make("input", { id: "aside", autocomplete: "off", maxlength: "500" });
  const whisper = make("button", { type: "button" }, words.whisper);
  const talk = make("form.row", {}, make("label.hidden", { for: "aside" }, words.aside), text,
    make("button", { type: "submit" }, words.kibitz), whisper);
  const title = make("h2", { id: "tools-title" });
  const section = make("section.tools", { "aria-labelledby": "tools-title" }, title,
    make("div.row", {}, sit, hint, notes, rules, invite, leave), talk);
  const speak = (verb) => {
    if (text.value.trim()) place.ask({ line: `/at ${now().number} ${verb} ${text.value.trim()}` });
    text.value = "";
  };
  talk.addEventListener("submit", (event) => {
    event.preventDefault();
    speak("kibitz");
  });
  whisper.addEventListener("click", () => speak("whisper"));
  document.querySelector("#main").append(section);
  return {
    /** Get one's notes with each whole table: they may have been written on another screen. */
    heard({ table }) {
      if (table && table.seat !== null && table.state !== "over") place.connection.look({ get: "notes", table: table.number });
    },
    paint() {
      const table = now();
      section.hidden = place.view !== "table";
      if (section.hidden) return;
      const watching = table.seat === null, over = table.state === "over";
      say(title, watching ? words.watching : words.atThisTable);
      title.classList.toggle("hidden", !watching);
      sit.hidden = !watching || over;
      hint.hidden = notes.hidden = watching || table.state !== "playing";
      invite.hidden = over || watching || table.lesson;
      talk.hidden = !watching;
      say(leave, watching ? words.stopWatching : words.leave);
    },
  };
}

/** Leave a table; in mid-game, ask first. */
function leaving(place, table) {
  const leave = () => place.ask({ line: `/at ${table.number} leave` });
  if (table.seat === null || table.state !== "playing") return leave();
  const box = dialog(words.leaveTitle(titleOf(table.game)), make("p", {}, words.leaveNote), make("div.row", {},
    button(words.leave, () => {
      box.close();
      leave();
    }, "button.go"), button(words.stayHere, () => box.close())));
  return box;
}

/** Show the link to a table, which the server knows: a private one has a word that only its players are told. */
async function link(place, number) {
  const { packets, error } = await place.look({ line: `/at ${number} invite` });
  const found = packets.find((packet) => packet.invitation)?.invitation;
  const url = found && new URL(`/t/${found.number}${found.word ? `#${found.word}` : ""}`, location.origin).href;
  const shown = make("input", { readonly: true, value: url ?? "", "aria-label": words.inviteLink });
  const copied = make("p.note", { role: "status" });
  dialog(words.inviteTitle, make("p", {}, url ? words.inviteNote : error?.text ?? words.tryAgain),
    ...(url ? [make("div.row", {}, shown, button(words.copy, async () => {
      shown.select();
      await navigator.clipboard?.writeText(url).then(() => say(copied, words.copied), () => null);
    })), copied] : []));
}
