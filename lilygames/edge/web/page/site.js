// On each public page: the colours that someone has chosen in this browser, and countdowns. The page is whole without it.

import { apply } from "/prefs.js";

apply();

for (const clock of document.querySelectorAll("[data-until]")) {
  const until = 1000 * Number(clock.dataset.until), day = 24 * 3600;
  const count = () => {
    const left = Math.floor((until - Date.now()) / 1000);
    if (left <= 0 || left >= day) return;
    const parts = [left / 3600, (left / 60) % 60, left % 60].map((part) => String(Math.floor(part)).padStart(2, "0"));
    clock.textContent = parts.slice(left < 3600 ? 1 : 0).join(":");
  };
  count();
  setInterval(count, 1000);
}
