// Push messages, in a dialog: it subscribes this browser at its own push service, and tells the server.

import { button, dialog } from "/dialog.js";
import { make, say } from "/dom.js";
import { notifying } from "/notify-words.js";
import { keep, kept } from "/storage.js";

export function notify(place) {
  const status = make("p.verdict", { role: "status" }, notifying.looking), list = make("ul"), choices = make("p.choices");
  dialog(notifying.title, make("p", {}, notifying.about), status, list, choices);

  /** Show whether this browser gets messages, and the button that changes that. */
  async function look(problem = "") {
    const reason = problem || obstacle(place.state);
    const key = reason ? "" : await keyOf();
    const now = key ? await subscription(place, key) : null;
    say(status, reason || (key ? (now ? notifying.isOn : notifying.isOff) : notifying.off));
    const { lines } = key ? await place.look({ line: "/browser" }) : { lines: [] };
    list.replaceChildren(...lines.map((line) => make("li", {}, line.trim())));
    choices.replaceChildren(...(key ? [now ? button(notifying.stop, () => stop(now)) : button(notifying.start, () => start(key))] : []));
  }

  async function start(key) {
    try {
      await look(await subscribe(place, key));
    } catch {
      await look(Notification.permission === "denied" ? notifying.denied : notifying.failed);
    }
  }

  async function stop(now) {
    await place.look({ line: `/browser forget ${now.endpoint}` });
    await now.unsubscribe();
    keep("push", null, true);
    await look();
  }

  look();
}

/** Subscribe again if the push service has ended or changed the subscription that this account has in this browser. */
export async function renew(place) {
  const { name, endpoint } = JSON.parse(kept("push"));
  const key = name === place.state.name && !obstacle(place.state) ? await keyOf() : "";
  const worker = key && await navigator.serviceWorker.ready;
  if (!worker || (await worker.pushManager.getSubscription())?.endpoint === endpoint) return;
  await place.look({ line: `/browser forget ${endpoint}` });
  await subscribe(place, key).catch(() => {}); // then the dialog says that it gets none
}

/** Subscribe this browser, and tell the server; return why the server refused. */
async function subscribe(place, key) {
  const worker = await navigator.serviceWorker.ready;
  const made = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytesOf(key) });
  const { endpoint, keys } = made.toJSON();
  const { error } = await place.look({ line: `/browser add ${endpoint} ${keys.p256dh} ${keys.auth} ${browserName()}` });
  if (error) await made.unsubscribe();
  else keep("push", JSON.stringify({ name: place.state.name, endpoint }), true);
  return error?.text ?? "";
}

/** Return why this browser can get no messages here; empty if it can. */
function obstacle(state) {
  if (!isSecureContext) return notifying.insecure;
  if (!("PushManager" in window) || !("Notification" in window) || !navigator.serviceWorker) return notifying.unsupported;
  if (!state.loggedIn || state.guest) return notifying.guest;
  return Notification.permission === "denied" ? notifying.denied : "";
}

/** Return the server's public key; empty if it sends no messages. */
async function keyOf() {
  const answer = await fetch("/push-key").catch(() => null);
  return answer?.ok ? answer.text() : "";
}

/** Return this browser's subscription; null if it has none for this account, or one for a key of the past. */
async function subscription(place, key) {
  const worker = await navigator.serviceWorker.getRegistration();
  const found = await worker?.pushManager.getSubscription();
  if (!found) return null;
  const before = found.options?.applicationServerKey;
  if (before && `${new Uint8Array(before)}` !== `${bytesOf(key)}`) {
    await found.unsubscribe(); // the server has another key now, and a browser keeps one subscription
    return null;
  }
  const { error } = await place.look({ line: `/browser check ${found.endpoint}` });
  return error ? null : found;
}

function bytesOf(text) {
  return Uint8Array.from(atob(text.replace(/-/gu, "+").replace(/_/gu, "/")), (one) => one.charCodeAt(0));
}

/** Return what the list of browsers calls this one: `Firefox, Linux`. */
function browserName() {
  const agent = navigator.userAgent;
  const names = [["Edg", "Edge"], ["OPR", "Opera"], ["Firefox", "Firefox"], ["Chrome", "Chrome"], ["Safari", "Safari"]];
  const [system] = /Android|iPhone|iPad|Windows|Mac OS X|Linux/u.exec(agent) ?? ["somewhere"];
  return `${names.find(([sign]) => agent.includes(sign))?.[1] ?? "A browser"}, ${system}`;
}
