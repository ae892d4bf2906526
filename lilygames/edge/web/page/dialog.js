// Dialogs over the page. The browser keeps the focus inside, closes them with Escape, and gives the focus back.

import { make } from "/dom.js";
import { words } from "/words.js";

let serial = 0;

/** Open a dialog with a heading and this content; return its element. */
export function dialog(title, ...content) {
  const id = `dialog-${++serial}`;
  const close = make("button.close", { type: "button" }, words.close);
  const heading = make("h2", { id, tabindex: "-1" }, title);
  const box = make("dialog", { "aria-labelledby": id }, make("div.bar", {}, heading, close), ...content);
  close.addEventListener("click", () => box.close());
  box.addEventListener("click", (event) => event.target === box && outside(event, box) && box.close());
  box.addEventListener("close", () => box.remove());
  document.body.append(box);
  box.showModal();
  if (!box.querySelector("[autofocus]")) heading.focus();
  return box;
}

function outside({ clientX, clientY }, box) {
  const { left, right, top, bottom } = box.getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}

/** Return a button that calls `act` when it's clicked. */
export function button(text, act, name = "button", more = {}) {
  const made = make(name, { type: "button", ...more }, text);
  made.addEventListener("click", act);
  return made;
}

/** Return a labelled field: `field("Name", { name: "name" })`. */
export function field(label, attributes) {
  const id = `field-${++serial}`;
  return make("p.field", {}, make("label", { for: id }, label), make("input", { id, ...attributes }));
}
