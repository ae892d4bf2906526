// A finished game on its public page: the same replay as for players, with positions that need no login.

import { button } from "/dialog.js";
import { make, say } from "/dom.js";
import { view } from "/replay.js";
import { words } from "/words.js";

const box = document.querySelector("#replay"), number = Number(box.dataset.number), steps = Number(box.dataset.steps);
/** How often positions are asked for again that the server was too busy for. */
const TRIES = 5;

/** Get a part of the replay as the websocket would send it: `{ error, packets }`. */
async function look({ from = 1 }) {
  for (let left = TRIES; left > 0; left -= 1) {
    const answer = await fetch(`/g/${number}.json?from=${from}`).catch(() => null);
    if (answer?.ok) return { packets: [{ replay: await answer.json() }] };
    const wait = Number(answer?.headers.get("Retry-After"));
    if (!wait) break;
    await new Promise((done) => setTimeout(done, 1000 * wait));
  }
  return { error: { text: words.tryAgain }, packets: [] };
}

/** What the replay needs of a place. */
const place = {
  view: "replay", state: { loggedIn: true }, look, close() {},
  draw() {
    replay.paint();
    const [, step = ""] = replay.address.split("#");
    history.replaceState(null, "", step ? `#${step}` : location.pathname);
    for (const row of document.querySelectorAll(".sheet tr")) {
      row.classList.toggle("here", Boolean(step) && row.querySelector("a")?.hash === `#${step}`);
    }
  },
};
const replay = view(place);
box.append(replay.section);

/** Return the step in the address, or 1. */
function asked() {
  const step = Number(location.hash.slice(1));
  return Number.isInteger(step) && step >= 1 && step <= steps ? step : 1;
}

replay.show([number, asked()]);
addEventListener("hashchange", () => replay.go(asked()));

const share = document.querySelector("#share");
if (share && navigator.clipboard) {
  const copied = make("span", { role: "status" });
  const copy = async () => {
    await navigator.clipboard.writeText(location.href);
    say(copied, words.copied);
  };
  share.append(make("div.row", {}, button(words.copy, copy), copied));
}
