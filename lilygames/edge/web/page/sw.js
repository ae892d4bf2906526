// The service worker: it shows push messages, and opens the table that one is about. It keeps one page, for those who are
// offline, and nothing of a game.

const KEPT = "offline-1", FILES = ["/offline.html", "/offline.css"];

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(caches.open(KEPT).then((kept) => kept.addAll(FILES)));
});
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { pathname } = new URL(event.request.url);
  const file = event.request.mode === "navigate" ? FILES[0] : FILES.find((one) => one === pathname);
  if (file) event.respondWith(fetch(event.request).catch(() => caches.match(file)));
});

self.addEventListener("push", (event) => {
  const { title, text, path } = read(event.data);
  event.waitUntil(self.registration.showNotification(title, {
    body: text, data: { path }, tag: "waiting", renotify: true, icon: "/icon-192.png", badge: "/icon-192.png",
  }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data?.path ?? "/"));
});

self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(changed()));

/** Let an open page subscribe again: it knows who is logged in. Without one, the next page does. */
async function changed() {
  const [page] = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  page?.postMessage({ renew: true });
}

/** Show the page that is open already, or open it. */
async function open(path) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const [page] = pages;
  if (!page) return self.clients.openWindow(path);
  page.postMessage({ open: path });
  return page.focus();
}

/** Return a path of this place; "/" for anything that a browser would read as another place, such as `/\evil.example`. */
function own(path) {
  if (typeof path !== "string") return "/";
  const { origin, pathname, search, hash } = new URL(path, self.location.origin);
  return origin === self.location.origin ? pathname + search + hash : "/";
}

/** Return what a message says. Every push has to show something, or the browser shows a sentence of its own. */
function read(data) {
  try {
    const { title, text, path } = data.json();
    return { title: String(title), text: String(text), path: own(path) };
  } catch {
    return { title: "lilygames", text: "Something waits for you.", path: "/" };
  }
}
