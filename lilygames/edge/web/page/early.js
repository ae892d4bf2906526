// Keep the first click until the page's modules are there: they take longer than the HTML of the lobby.

addEventListener("click", ({ target }) => {
  const chosen = target.closest?.("[data-line], [data-help]");
  if (!chosen || document.querySelector(".lobby[data-live]")) return;
  globalThis.early = chosen;
  chosen.setAttribute("aria-busy", "true");
});
