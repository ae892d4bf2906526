// How the page looks and sounds in this browser. Choices are kept here, not with the account.

import { keep, kept } from "/storage.js";

/** Each choice with its values, the first one being the default. */
export const CHOICES = {
  theme: ["auto", "light", "dark"],
  deck: ["2", "4", "safe"],
  size: ["100", "115", "130", "150"],
  motion: ["auto", "none"],
  sound: ["on", "off"],
  notify: ["off", "on"],
  vibrate: ["off", "on"],
  arrivals: ["on", "off"],
};

const chosen = read();

function read() {
  try {
    return JSON.parse(kept("prefs")) ?? {};
  } catch {
    return {};
  }
}

/** Return what someone has chosen, such as `pref("deck")`, or `otherwise`. */
export function pref(name, otherwise = CHOICES[name][0]) {
  return CHOICES[name].includes(chosen[name]) ? chosen[name] : otherwise;
}

export function choose(name, value) {
  chosen[name] = value;
  keep("prefs", JSON.stringify(chosen), true);
  apply();
}

/** Make the page look as chosen. */
export function apply() {
  const root = document.documentElement;
  root.classList.toggle("four-colours", pref("deck") === "4");
  root.classList.toggle("safe-colours", pref("deck") === "safe");
  root.classList.toggle("still", pref("motion") === "none");
  root.style.fontSize = pref("size") === "100" ? "" : `${pref("size")}%`;
  root.style.colorScheme = pref("theme") === "auto" ? "" : pref("theme");
  for (const sheet of document.styleSheets) for (const rule of sheet.cssRules) theme(rule);
}

/** Let the rules for dark screens hold always or never, if someone has chosen so. */
function theme(rule) {
  if (!(rule instanceof CSSMediaRule)) return;
  rule.asked ??= rule.media.mediaText;
  if (!rule.asked.includes("prefers-color-scheme")) return;
  const dark = rule.asked.includes("dark");
  const text = { auto: rule.asked, light: dark ? "not all" : "all", dark: dark ? "all" : "not all" }[pref("theme")];
  if (rule.media.mediaText !== text) rule.media.mediaText = text;
}
