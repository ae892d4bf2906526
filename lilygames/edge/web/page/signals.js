// Signals that someone has asked for: a sound, a notification or a vibration when it's their turn or someone writes.

import { withLoaded } from "/load.js";
import { pref } from "/prefs.js";
import { titleOf, words } from "/words.js";

export function signals(place) {
  let told = "";
  return {
    paint() {
      const turn = [...place.state.tables.values()].find((one) => one.state === "playing" && one.mine && one.count > 0);
      const key = turn ? `${turn.number}/${turn.seq}` : "";
      if (key && key !== told) signal("turn", `${words.yourTurn}: ${titleOf(turn.game)}`, turn.party ? "on" : "off");
      told = key;
    },
    heard({ talk, over }) {
      if (talk?.kind === "private" && (talk.talker ?? talk.from) !== place.state.name) {
        signal("talk", words.writes(talk.talker ?? talk.from));
      }
      if (over) signal("over", words.over);
    },
  };
}

/** Tell someone what has happened, in the ways that they have chosen. A phone at a party shakes unless that is off. */
function signal(what, text, shakes = "off") {
  if (pref("sound") === "on") withLoaded("/sound.js", ({ play }) => play(what));
  if (pref("vibrate", shakes) === "on" && what === "turn") navigator.vibrate?.(120);
  if (pref("notify") === "on" && document.hidden) notify(text);
}

async function notify(text) {
  if (globalThis.Notification?.permission !== "granted") return;
  const worker = await navigator.serviceWorker?.getRegistration();
  try {
    if (worker) await worker.showNotification(text, { tag: "lilygames" });
    else new Notification(text, { tag: "lilygames" });
  } catch {
    return; // some phones notify only through a service worker
  }
}
