// Who you are here, in a dialog: log in or register with a name and password, or log out.

import { button, dialog, field } from "/dialog.js";
import { make } from "/dom.js";
import { keep, kept } from "/storage.js";
import { words } from "/words.js";

const PATIENCE = 5000;
const NAME = { name: "name", autocomplete: "username", autocapitalize: "off", spellcheck: "false", required: true, maxlength: "16" };

export function account(place) {
  if (!place.state.loggedIn) return entry(place, words.logIn, false);
  return place.state.guest ? guest(place) : member(place);
}

/** A form with name and password, for someone who has an account or wants one. */
function entry(place, title, isNew) {
  const note = make("p.note.error", { role: "alert" });
  const secret = { name: "password", type: "password", required: true, autocomplete: isNew ? "new-password" : "current-password" };
  const stay = make("input", { type: "checkbox", name: "stay" });
  stay.checked = kept("stay") === "yes";
  const form = make("form.account", {}, field(words.name, { ...NAME, autofocus: true }), field(words.password, secret),
    make("p", {}, make("label.check", {}, stay, words.stay)), make("p.note", {}, isNew ? words.registerNote : words.stayNote),
    note, make("div.row", {}, make("button.go", { type: "submit" }, title),
      button(isNew ? words.logInInstead : words.registerInstead, () => {
        box.close();
        entry(place, isNew ? words.logIn : words.register, !isNew);
      })));
  const box = dialog(title, form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { name, password } = Object.fromEntries(new FormData(form));
    note.textContent = words.oneMoment;
    keep("stay", stay.checked ? "yes" : null, true);
    const refused = await (isNew ? register(place, name.trim(), password) : logIn(place, name.trim(), password));
    note.textContent = refused;
    if (!refused) box.close();
  });
}

/** Send a line; return what the server asks for after it, and why it refused it. */
export async function answer(place, line) {
  const { error, packets } = await place.look({ line });
  return { asks: packets.findLast((packet) => packet.prompt !== undefined)?.asks, error };
}

/** Wait a moment if the server doesn't ask who you are yet, because the page has just connected anew. */
export async function ready(place) {
  for (let left = PATIENCE; left > 0 && place.state.prompt?.asks !== "login"; left -= 100) {
    await new Promise((go) => setTimeout(go, 100));
  }
}

async function logIn(place, name, password) {
  if (place.state.loggedIn) return "";
  await ready(place);
  let { asks, error } = await answer(place, name);
  if (asks === "new-password") {
    place.connection.again(); // leave the question, which would make them a guest of this name
    return words.noAccount(name);
  }
  if (asks === "password") ({ asks, error } = await answer(place, password));
  if (asks === "password") await answer(place, "");
  return place.state.loggedIn ? "" : error?.code === "wrong-password" ? words.wrongPassword : error?.text ?? words.tryAgain;
}

async function register(place, name, password) {
  await ready(place);
  let { asks, error } = await answer(place, name);
  if (asks === "password") {
    await answer(place, "");
    return words.nameTaken(name);
  }
  if (asks === "new-password") ({ asks, error } = await twice(place, password));
  if (asks === "new-password") place.connection.again();
  return place.state.loggedIn ? "" : error?.text ?? words.tryAgain;
}

/** Type a new password twice. */
async function twice(place, password) {
  const first = await answer(place, password);
  return first.asks === "same-password" ? answer(place, password) : first;
}

/** A guest can keep a name by choosing a password. */
function guest(place) {
  const note = make("p.note.error", { role: "alert" });
  const seated = [...place.state.tables.values()].some((table) => table.seat !== null && table.state !== "over");
  const form = make("form.account", {}, make("p", {}, seated ? words.guestSeated : words.guestNote),
    field(words.name, { ...NAME, value: place.state.name }),
    field(words.password, { name: "password", type: "password", required: true, autocomplete: "new-password" }), note,
    make("div.row", {}, make("button.go", { type: "submit" }, words.register), out(place, words.logOut, "/bye here")));
  const box = dialog(place.state.name, form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { name, password } = Object.fromEntries(new FormData(form));
    const refused = await keepName(place, name.trim(), password);
    note.textContent = refused;
    if (!refused) box.close();
  });
}

/** Give a guest a name and a password; return why that was refused, or nothing. */
export async function keepName(place, name, password) {
  if (name !== place.state.name) {
    const { error } = await answer(place, `/rename ${name}`);
    if (error) return error.text;
  }
  const asked = await answer(place, "/register");
  if (asked.error) return asked.error.text;
  const { asks, error } = await twice(place, password);
  if (asks) await answer(place, "");
  return error?.text ?? (asks ? words.tryAgain : "");
}

function member(place) {
  const stay = make("input", { type: "checkbox" });
  stay.checked = kept("stay") === "yes";
  stay.addEventListener("change", () => {
    keep("stay", stay.checked ? "yes" : null, true);
    keep("resume", kept("resume"), stay.checked);
  });
  dialog(place.state.name, make("p", {}, make("label.check", {}, stay, words.stay)),
    make("p.note", {}, words.stayNote), make("div.row", {},
      out(place, words.logOut, "/bye here"), out(place, words.logOutEverywhere, "/bye everywhere")));
}

/** Return a button that logs out, and forgets what resumes the session. */
function out(place, label, line) {
  return button(label, async (event) => {
    event.target.closest("dialog").close();
    keep("stay", null, true);
    await place.ask({ line });
  });
}
