// On a phone, the talk and the lists beside a table are a sheet; a handle below your move opens it.

import { make, say, set } from "/dom.js";
import { words } from "/words.js";

export function sheet(place) {
  const aside = document.querySelector("aside");
  const last = make("span.last"), count = make("span.count", { "aria-hidden": "true" });
  const handle = make("button.handle", { type: "button", "aria-controls": "beside", "aria-expanded": "false" }, last, count);
  let read = 0;
  set(aside, { id: "beside" });
  aside.before(handle);

  const said = () => place.state.rows.filter((row) => row.kind === "said");
  const open = (opened) => {
    document.body.classList.toggle("sheet-open", opened);
    set(handle, { "aria-expanded": String(opened) });
    paint();
    if (opened) document.querySelector("#log").focus({ preventScroll: true });
    else handle.focus({ preventScroll: true });
  };
  const isOpen = () => document.body.classList.contains("sheet-open");
  handle.addEventListener("click", () => open(!isOpen()));
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !isOpen() || event.defaultPrevented) return;
    event.preventDefault();
    open(false);
  });
  aside.addEventListener("focusin", () => {
    if (!isOpen() && handle.offsetParent) open(true);  // whoever comes here with a keyboard sees where they are
  });

  function paint() {
    document.body.classList.toggle("at-table", place.view === "table");
    const rows = said(), latest = rows.at(-1);
    if (isOpen() || !handle.offsetParent) read = latest?.key ?? read;
    const fresh = rows.filter(({ key, by }) => key > read && by !== place.state.name).length;
    say(last, isOpen() ? words.closeTalk : latest ? `${latest.by}: ${latest.text}` : words.tableTalk);
    say(count, fresh ? `${fresh}` : "");
    set(handle, { "aria-label": isOpen() ? words.closeTalk : words.openTalk(fresh) });
  }
  return { paint };
}
