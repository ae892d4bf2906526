// Someone's face: the first letter of their name on a colour that is always theirs, as on the public pages.

import { make } from "/dom.js";
import { sha256 } from "/sha256.js";

const TINTS = 6;

export function face(name) {
  const [first] = sha256(new TextEncoder().encode(name.toLowerCase()));
  return make(`span.face.tint-${first % TINTS}`, { "aria-hidden": "true" }, name.slice(0, 1).toUpperCase());
}
