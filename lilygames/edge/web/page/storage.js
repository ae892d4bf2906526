// What this browser keeps: for this tab, or (`lasting`) until someone clears it. Storage can be blocked or full; then the
// page remembers it until it's closed.

const memory = new Map();

const BOXES = [() => sessionStorage, () => localStorage];

export function kept(key) {
  for (const box of BOXES) {
    try {
      const found = box().getItem(key);
      if (found !== null) return found;
    } catch {
      continue;
    }
  }
  return memory.get(key) ?? null;
}

/** Keep a text; null forgets it. */
export function keep(key, value, lasting = false) {
  if (value === null) memory.delete(key);
  else memory.set(key, value);
  for (const [number, box] of BOXES.entries()) {
    try {
      if (value === null || lasting !== Boolean(number)) box().removeItem(key);
      else if (box().getItem(key) !== value) box().setItem(key, value);
    } catch {
      continue;
    }
  }
}
