// Modules that are loaded when someone needs them. Without a network they come as soon as it's back.

const AGAIN = 2000;

const loading = new Map();
const opening = new Set();

/** Return a promise of a module, such as `load("/help.js")`. */
export function load(path) {
  if (!loading.has(path)) loading.set(path, tried(path));
  return loading.get(path);
}

/** Load a module and use it; a second click in the meantime does nothing more. */
export async function withLoaded(path, use) {
  if (opening.has(path)) return;
  opening.add(path);
  const found = await load(path);
  opening.delete(path);
  use(found);
}

/** Try until it's loaded, each time under another address: browsers may remember that an address has failed. */
async function tried(path) {
  for (let again = 0; ; again++) {
    try {
      return await import(again ? `${path}?${again}` : path);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // it was loaded, and has a fault
      await restored();
    }
  }
}

/** Wait a moment, or until the network is back. */
function restored() {
  return new Promise((done) => {
    addEventListener("online", done, { once: true });
    setTimeout(done, AGAIN);
  });
}
