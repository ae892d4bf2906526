// Elements: made from values, and kept while they stay the same, so that focus is never lost.

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
  const focused = document.activeElement;
  for (const child of [...parent.children]) {
    if (wanted.has(child.dataset.key)) before.set(child.dataset.key, child);
    else {
      if (child.contains(focused)) refocus(child);
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
    } else {
      // others move around it, because it may have the focus
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

/** Move the focus from an element that goes to its neighbour, else to the part of the page for moves. */
function refocus(gone) {
  const neighbour = gone.nextElementSibling ?? gone.previousElementSibling;
  const next = neighbour?.matches("button, a, input") ? neighbour : neighbour?.querySelector("button, a, input");
  (next ?? document.querySelector("#act"))?.focus();
}

/** Set the text of an element only if it differs, so that a screen reader isn't told again. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
