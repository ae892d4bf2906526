// The settings of this browser, in a dialog. Each takes effect at once.

import { button, dialog } from "/dialog.js";
import { make } from "/dom.js";
import { withLoaded } from "/load.js";
import { CHOICES, choose, pref } from "/prefs.js";
import { words } from "/words.js";

const ARRIVALS = "connect,disconnect,join,quit";

export function settings(place) {
  const note = make("p.note", { role: "status" });
  dialog(words.settings, make("form.settings", {}, ...Object.keys(CHOICES).map((name) => group(place, name, note))),
    note, button(words.messages, () => messages(place)), make("p.note", {}, words.settingsKept));
}

function messages(place) {
  document.querySelector("dialog").close();
  withLoaded("/notify.js", ({ notify }) => notify(place));
}

/** Return the radio buttons for a choice. */
function group(place, name, note) {
  const radios = CHOICES[name].map((value) => {
    const radio = make("input", { type: "radio", name, value });
    radio.checked = pref(name) === value;
    radio.addEventListener("change", () => change(place, name, value, note));
    return make("label", {}, radio, make("span", {}, words.choices[name][value]));
  });
  return make("fieldset", {}, make("legend", {}, words.choices[name].title), make("div.radios", {}, ...radios));
}

async function change(place, name, value, note) {
  choose(name, value);
  note.textContent = "";
  if (name === "notify" && value === "on") note.textContent = await allowed();
  if (name === "sound" && value === "on") withLoaded("/sound.js", ({ play }) => play("turn"));
  if (name === "vibrate" && value === "on" && !navigator.vibrate?.(120)) note.textContent = words.noVibration;
  if (name === "arrivals" && place.state.loggedIn) {
    await place.look({ line: `/notify ${ARRIVALS} ${value === "on" ? "clear" : "off"}` });
  }
}

/** Ask the browser whether the page may notify; return what to tell if it may not. */
async function allowed() {
  if (!globalThis.Notification || !globalThis.isSecureContext) return words.noNotifications;
  const answer = await Notification.requestPermission();
  return answer === "granted" ? "" : words.notAllowed;
}
