// SHA-256 and HMAC (FIPS 180-4, RFC 2104) for pages without a secure context, where browsers have no crypto.subtle.

const BLOCK = 64;
const SCHEDULE = 64;

/** Return the first 32 bits of the fractional part of a root of each of the first primes (FIPS 180-4, 4.2.2, 5.3.3). */
function fractions(count, root) {
  const found = [];
  for (let number = 2; found.length < count; number += 1) {
    let isPrime = true;
    for (let divisor = 2; divisor * divisor <= number; divisor += 1) if (number % divisor === 0) isPrime = false;
    if (isPrime) found.push(fraction(number, root));
  }
  return found;
}

/** Return the first 32 bits of the fractional part of a prime's root, by whole numbers alone. */
function fraction(prime, root) {
  const wanted = BigInt(prime) << BigInt(32 * root);
  let low = 0n, high = 1n << 40n;
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** BigInt(root) <= wanted) low = middle;
    else high = middle;
  }
  return Number(low & 0xffffffffn);
}

const CONSTANTS = Uint32Array.from(fractions(SCHEDULE, 3));
const START = Uint32Array.from(fractions(8, 2));

/** Return the SHA-256 of bytes. */
export function sha256(bytes) {
  const size = Math.ceil((bytes.length + 9) / BLOCK) * BLOCK;
  const padded = new Uint8Array(size);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(size - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(size - 4, (bytes.length * 8) >>> 0);
  const state = START.slice();
  const words = new Uint32Array(SCHEDULE);
  for (let start = 0; start < size; start += BLOCK) {
    for (let t = 0; t < 16; t += 1) words[t] = view.getUint32(start + 4 * t);
    compress(state, words);
  }
  const result = new Uint8Array(32);
  const out = new DataView(result.buffer);
  state.forEach((word, place) => out.setUint32(4 * place, word));
  return result;
}

/** Add one block, whose words are the first 16 of `words`, to the state (FIPS 180-4, 6.2.2). */
function compress(state, words) {
  for (let t = 16; t < SCHEDULE; t += 1) {
    const early = words[t - 15], late = words[t - 2];
    const small0 = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
    const small1 = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
    words[t] = words[t - 16] + small0 + words[t - 7] + small1;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let t = 0; t < SCHEDULE; t += 1) {
    const big1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const first = (h + big1 + ((e & f) ^ (~e & g)) + CONSTANTS[t] + words[t]) | 0;
    const big0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const second = (big0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, place) => { state[place] += word; });
}

function turn(word, bits) {
  return (word >>> bits) | (word << (32 - bits));
}

/** Return the HMAC-SHA-256 of bytes under a key. */
export function hmac(key, bytes) {
  const short = key.length > BLOCK ? sha256(key) : key;
  const padded = (pad) => Uint8Array.from({ length: BLOCK }, (_, place) => (short[place] ?? 0) ^ pad);
  return sha256(joined(padded(0x5c), sha256(joined(padded(0x36), bytes))));
}

/** Return arrays of bytes as one. */
export function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
