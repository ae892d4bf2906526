// The service worker's counterpart on the page: it starts it, shows the table that a notification is about, and renews the
// subscription to messages.

import { withLoaded } from "/load.js";
import { kept } from "/storage.js";

export function worker(place) {
  const workers = isSecureContext ? navigator.serviceWorker : undefined;
  workers?.register("/sw.js").catch(() => {}); // a browser may forbid it: there are no push messages then
  const renew = () => kept("push") && place.state.loggedIn && withLoaded("/notify.js", (notify) => notify.renew(place));
  workers?.addEventListener("message", ({ data }) => (data?.renew ? renew() : show(place, data?.open)));
  return {
    paint() {},
    heard(packet) {
      if (packet.you && workers) renew();
    },
  };
}

function show(place, path) {
  const [, number] = /^\/t\/(\d+)$/u.exec(path) ?? [];
  if (!number) return;
  if (!place.state.tables.has(Number(number))) {
    location.assign(path);
    return;
  }
  place.state.shown = Number(number);
  place.close();
}
