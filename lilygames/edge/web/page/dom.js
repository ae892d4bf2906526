// Elements: made from values, and kept while they stay the same, so that focus is never lost.

import { pieces, inWords } from "/speech.js";

/** Return a new element: `make("li.seat", { title: "x" }, "text", child)`. Text is only ever text. */
export function make(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(" ");
  set(element, attributes);
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

/** Set attributes; null and false remove one. */
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) element.removeAttribute(name);
    else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value === true ? "" : value);
  }
}

/**
 * Make the children of `parent` those of `items`, a list of [key, make, update]. Elements with the same key stay. Stale
 * ones go first and then others come, because moving the focused element would take the focus away.
 */
export function keep(parent, items) {
  const wanted = new Set(items.map(([key]) => String(key)));
  const before = new Map();
  for (const child of [...parent.children]) {
    if (wanted.has(child.dataset.key)) before.set(child.dataset.key, child);
    else {
      if (child.contains(document.activeElement)) refocus(child, wanted);
      child.remove();
    }
  }
  let at = parent.firstElementChild;
  for (const [key, create, update] of items) {
    let child = before.get(String(key));
    if (!child) {
      child = create();
      child.dataset.key = key;
      parent.insertBefore(child, at);
    } else if (child === at) {
      at = at.nextElementSibling;
    } else if (!child.contains(document.activeElement)) {
      parent.insertBefore(child, at);
    } else {
      // it has the focus, so others move around it
      while (at && at !== child) {
        const next = at.nextElementSibling;
        parent.append(at);
        at = next;
      }
      at = child.nextElementSibling;
    }
    update?.(child);
  }
}

const STOPS = "button, a, input, select, textarea";

/** Move the focus from an element that goes to a neighbour that stays, else to the part of the page for moves. */
function refocus(gone, staying) {
  const stays = (element) => !element.dataset.key || staying.has(element.dataset.key);
  const around = [...gone.parentElement.children], at = around.indexOf(gone);
  const neighbour = [...around.slice(at + 1), ...around.slice(0, at).reverse()].find(stays);
  const next = neighbour?.matches(STOPS) ? neighbour : neighbour?.querySelector(STOPS);
  (next ?? document.querySelector("#act"))?.focus({ preventScroll: true });
}

/** Hide an element; if it has the focus, that goes to the part of the page for moves. */
export function hide(element, hidden) {
  if (element.hidden === hidden) return;
  const focused = hidden && element.contains(document.activeElement);
  element.hidden = hidden;
  const act = document.querySelector("#act");
  if (focused && act && !act.hidden) act.focus({ preventScroll: true });
}

/** Set the text of an element only if it differs, so that a screen reader isn't told again. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Return a text for eyes, with coloured suits, and the same in words for ears. */
export function both(text, spoken = inWords(text)) {
  const seen = pieces(text).map(({ text: piece, suit }) => (suit ? make(`b.suit-${suit}`, {}, piece) : piece));
  if (text === spoken) return seen;
  return [make("span", { "aria-hidden": "true" }, ...seen), make("span.hidden", {}, spoken)];
}

/** Show such a text in an element, only if it differs. */
export function show(element, text, spoken = inWords(text)) {
  const key = `${text}\n${spoken}`;
  if (element.shown === key) return;
  element.shown = key;
  element.replaceChildren(...both(text, spoken));
}
