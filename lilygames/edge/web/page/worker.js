// The service worker's counterpart on the page: it starts it, and shows the table that a notification is about.

export function worker(place) {
  const workers = isSecureContext ? navigator.serviceWorker : undefined;
  workers?.register("/sw.js").catch(() => {}); // a browser may forbid it: there are no push messages then
  workers?.addEventListener("message", ({ data }) => show(place, data?.open));
  return { paint() {} };
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
