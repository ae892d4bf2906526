// Motion as the difference of two pictures: a part with an id that was somewhere else before glides to its new place.

const GLIDE = 280;
const reduced = matchMedia("(prefers-reduced-motion: reduce)");

/** Whether nothing should move. */
export function isStill() {
  return reduced.matches || document.hidden || document.documentElement.classList.contains("still");
}

/** Return where the parts with ids are now. */
export function spots(root) {
  return new Map([...root.querySelectorAll("[data-id]")].map((part) => [part.dataset.id, part.getBoundingClientRect()]));
}

/** Let parts glide from where they were before; a card of another seat comes from that seat. */
export function glide(root, before) {
  for (const part of root.querySelectorAll(".slot [data-id], .board [data-id]")) {
    if (part.seen) continue;
    part.seen = true;
    const from = before.get(part.dataset.id) ?? part.closest(".seat")?.querySelector(".plate").getBoundingClientRect();
    if (from?.width && before.size && !isStill()) move(part, from, part.getBoundingClientRect());
  }
}

function move(part, from, to) {
  const across = from.left + from.width / 2 - to.left - to.width / 2, down = from.top + from.height / 2 - to.top - to.height / 2;
  const transform = `translate(${across}px, ${down}px) scale(${Math.min(1.6, from.width / (to.width || 1))})`;
  part.animate([{ transform }, { transform: "none" }], { duration: GLIDE, easing: "ease-out" });
}
