// The bytes of seal version 2, as `/help seal-bytes` defines them and lilygames/proofs/commitments.py makes them.

export const SIZE = 32;
const TAG = "lilygames/2/";
const ID_DIGITS = 32;
const EXACT = "\u0000exact";

/** Return the canonical JSON array of a tag and parts as bytes: ASCII, sorted keys, no spaces. Bytes become hex. */
export function canonical(tag, ...parts) {
  return new TextEncoder().encode(json([TAG + tag, ...parts]));
}

/** Return a value as Python's `json.dumps` writes it with sorted keys; throw `RangeError` for an inexact number. */
export function json(value) {
  if (value instanceof Uint8Array) return `"${hex(value)}"`;
  if (Array.isArray(value)) return `[${value.map(json).join(",")}]`;
  if (typeof value === "string") return quoted(value);
  if (typeof value === "number" && !Number.isSafeInteger(value)) throw new RangeError(`${value} isn't a whole number`);
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (EXACT in value) return value[EXACT];
  const keys = Object.keys(value).sort(byCodePoint);
  return `{${keys.map((key) => `${quoted(key)}:${json(value[key])}`).join(",")}}`;
}

/** Return a value from JSON. Numbers that JavaScript would change, such as 2.0, keep their digits. */
export function parsed(text) {
  const tokens = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/gu;
  const kept = (token) => (token[0] === '"' || Number.isSafeInteger(Number(token)) && /^(?:0|-?[1-9]\d*)$/u.test(token)
    ? token : JSON.stringify({ [EXACT]: token }));
  return JSON.parse(text.replace(tokens, kept));
}

function quoted(text) {
  return JSON.stringify(text).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function byCodePoint(one, other) {
  const left = [...one], right = [...other];
  for (let place = 0; place < Math.min(left.length, right.length); place += 1) {
    const difference = left[place].codePointAt(0) - right[place].codePointAt(0);
    if (difference) return difference;
  }
  return left.length - right.length;
}

/** Return bytes as lower-case hexadecimal digits. */
export function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Return the bytes of hexadecimal digits; throw `RangeError` for anything else. */
export function unhex(digits) {
  if (!/^(?:[0-9a-f]{2})*$/u.test(digits)) throw new RangeError("not hexadecimal digits");
  return Uint8Array.from(digits.match(/../gu) ?? [], (pair) => parseInt(pair, 16));
}

// hashes: the browser's own in a secure context, else ours

const subtle = globalThis.isSecureContext === false ? undefined : globalThis.crypto?.subtle;
const own = () => import("./sha256.js");

/** Return the SHA-256 of bytes. */
export async function sha256(bytes) {
  return subtle ? new Uint8Array(await subtle.digest("SHA-256", bytes)) : (await own()).sha256(bytes);
}

/** Return the HMAC-SHA-256 of bytes. */
export async function hmac(key, bytes) {
  if (!subtle) return (await own()).hmac(key, bytes);
  const kind = { name: "HMAC", hash: "SHA-256" };
  return new Uint8Array(await subtle.sign("HMAC", await subtle.importKey("raw", key, kind, false, ["sign"]), bytes));
}

/** Return the SHA-256 of the canonical array in hexadecimal digits. */
export async function digest(tag, ...parts) {
  return hex(await sha256(canonical(tag, ...parts)));
}

/** Return the HMAC-SHA-256 of the canonical array. */
export function keyed(key, tag, ...parts) {
  return hmac(key, canonical(tag, ...parts));
}

// what is hashed

/** Return the identity (T) that a table's number or duplicate set, game, rules and first seal make. */
export function identity({ duplicate, number, game, version, first }) {
  return duplicate ? digest("duplicate", duplicate, game, version, first) : digest("table", number, game, version, first);
}

/** Return the seal of a secret in hexadecimal digits. */
export const sealOf = (secret) => digest("seal", secret);

/** Return the id that stands for a name in a table's log. */
export const seatId = async (name, salt) => (await digest("seat", name, salt)).slice(0, ID_DIGITS);

/** Return the commitment to a nonce in hexadecimal digits. */
export const commitment = (table, round, who, nonce) => digest("commit", table, round, who, nonce);

/** Return the digest (D) of what a round seals. */
export const sealingDigest = (table, sealing) => digest("sealing", table, sealing);

/** Return 32 random bytes from the browser. */
export function fresh() {
  return crypto.getRandomValues(new Uint8Array(SIZE));
}
