// The log of a finished game, as the server exports it.

import { words } from "./words.js";

/** Return { error, lines }. The log comes in parts: a long one would be more than a connection holds at once. */
export async function exported(place, number) {
  const lines = [];
  for (;;) {
    const { error, packets } = await place.look({ get: "export", table: number, ...(lines.length ? { from: lines.length + 1 } : {}) });
    const part = packets.find((packet) => packet.export)?.export;
    if (!part?.rows.length) return { error: error ?? { text: words.tryAgain }, lines };
    lines.push(...part.rows);
    if (lines.length >= part.count) return { error: null, lines };
  }
}
