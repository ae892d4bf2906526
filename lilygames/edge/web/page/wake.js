// A screen that stays on, while someone has to see it.

/** Keep the screen on as long as `wanted()`; look again whenever the page is shown, and when the function returned is called. */
export function awake(wanted) {
  let lock = null, asking = false;
  const look = async () => {
    if (!navigator.wakeLock || asking || document.hidden) return;
    if (!wanted()) {
      lock?.release();
      lock = null;
      return;
    }
    if (lock && !lock.released) return;
    asking = true;
    lock = await navigator.wakeLock.request("screen").catch(() => null); // an empty battery may forbid it
    asking = false;
  };
  document.addEventListener("visibilitychange", look);
  look();
  return look;
}
