// The address of what is shown, so that Back, Forward, reload and links do what people expect.

import { kept } from "/storage.js";
import { words } from "/words.js";

/** Return what an address of this place means: `[view, about]`; null for another page, which the server sends. */
export function read(path, hash = "") {
  const [, kind, rest] = /^\/(t|g|u|j)\/([\w-]+)$/u.exec(path) ?? [];
  const number = /^[1-9]\d{0,8}$/u.test(rest ?? "") ? Number(rest) : null;
  if (path === "/") return ["lobby"];
  if (kind === "t" && number) return ["table", number];
  if (kind === "g" && number) return ["replay", [number, /^#[1-9]\d{0,8}$/u.test(hash) ? Number(hash.slice(1)) : 1]];
  if (kind === "j") return ["party", rest];
  return kind === "u" ? ["history", rest] : null;
}

/** Return the address of what a place shows, with a step after `#`; null if it has none. */
export function addressOf(place) {
  if (place.view === "lobby") return "/";
  if (place.view === "table") return `/t/${place.state.shown}`;
  return place.loaded.get(place.view)?.address ?? null;
}

export function route(place) {
  let before = place.view, moved = false; // whether the view has changed, and the focus hasn't followed yet
  let first = read(location.pathname, location.hash);

  /** Show what the address says. A table that isn't on the page is the server's: it may be over, and have a replay. */
  function follow([view, about]) {
    if (view === "lobby") place.go("lobby");
    else if (view !== "table") place.open(view, about);
    else if (place.state.tables.has(about)) {
      place.state.shown = about;
      place.close();
    } else location.reload();
  }

  /** Show what the page was opened with, once it's clear who looks at it. A table waits as an invitation in the lobby. */
  function begin() {
    const [view, about] = first;
    if (view === "table") {
      if (place.view === "lobby") return;
    } else if (view !== "lobby") {
      if (!place.state.loggedIn && kept("resume")) return;
      if (place.state.loggedIn || view === "party") place.open(view, about);
      else {
        history.replaceState(null, "", "/");
        place.state.say({ kind: "error", text: words.nothingHere });
      }
    }
    first = null;
  }

  /** Let the focus follow the view, if it was in what is gone. What should get it may still be hidden: then try again. */
  function focus() {
    moved ||= before !== place.view;
    before = place.view;
    if (!moved) return;
    const target = place.view === "table" ? document.querySelector("#act") : document.querySelector("#main > :not([hidden]) h2");
    if (document.activeElement && document.activeElement !== document.body) moved = false;
    else if (target?.checkVisibility()) {
      target.tabIndex = -1;
      target.focus({ preventScroll: true });
      moved = document.activeElement !== target;
    }
  }

  addEventListener("popstate", () => {
    const found = read(location.pathname, location.hash);
    if (found) follow(found);
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const found = link.origin === location.origin && !link.target ? read(link.pathname, link.hash) : null;
    const known = found && (found[0] !== "table" || place.state.tables.has(found[1])) && (found[0] !== "history" || found[1] === place.state.name);
    if (!known || (link.hash && link.pathname === location.pathname)) return;
    event.preventDefault();
    follow(found);
  });
  return {
    paint() {
      focus();
      if (first) begin();
      const wanted = first ? null : addressOf(place);
      if (!wanted) return;
      const [path, step] = wanted.split("#");
      if (path !== location.pathname) history.pushState(null, "", wanted);
      else if (step && `#${step}` !== location.hash) history.replaceState(null, "", wanted);
    },
  };
}
