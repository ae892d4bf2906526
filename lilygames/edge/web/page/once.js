// Texts by which the server knows a move that is sent twice: a part for this window, and a number.

const own = [...crypto.getRandomValues(new Uint8Array(9))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
let last = 0;

/** Return a text that no other move has. */
export function once() {
  last += 1;
  return `${own}-${last}`;
}
