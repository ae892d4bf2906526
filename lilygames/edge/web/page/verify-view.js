// The view that checks a finished game: what this browser recomputed, what it can't, and what the server says.

import { make, say } from "./dom.js";
import { exported } from "./exported.js";
import { fileOf, Receipts, storageOf } from "./nonces.js";
import { verify } from "./verify.js";
import { checkSaid, codeShown, verifying } from "./verify-words.js";

export function view(place) {
  document.head.append(make("link", { rel: "stylesheet", href: "/trust.css" }));
  const receipts = new Receipts(storageOf(window), location.host);
  const parts = {
    title: make("h2", { id: "verify-title", tabindex: "-1" }),
    status: make("p.verdict", { role: "status" }),
    sealed: make("p.sealed"),
    checks: make("ul.checks"),
    limits: make("ul.limits"),
    server: make("p.server"),
    buttons: make("div.moves"),
  };
  const details = make("div", {}, parts.sealed, parts.checks, make("h3", {}, verifying.unchecked), parts.limits,
    make("h3", {}, verifying.server), parts.server);
  const section = make("section.view.verify", { "aria-labelledby": "verify-title", hidden: true }, parts.title, parts.status, details, parts.buttons);
  let asked = 0;

  async function show(number) {
    const mine = ++asked;
    say(parts.title, verifying.title(number));
    say(parts.status, verifying.getting);
    details.hidden = true;
    offer([]);
    section.hidden = false;
    parts.title.focus();
    const { error, lines } = await exported(place, number);
    if (mine !== asked) return;
    if (error) {
      say(parts.status, verifying.refused(error.text));
      return;
    }
    say(parts.status, verifying.checking);
    const own = receipts.at(number);
    const result = await verify(lines, own);
    const said = await place.look({ line: `/verify ${number}` });
    if (mine !== asked) return;
    tell(result, said.error?.text ?? said.lines.join(" "));
    offer([[verifying.save, `game-${number}.jsonl`, lines], ...own.map((one) => [verifying.saveReceipt, fileOf(one), [JSON.stringify(one)]])]);
  }

  function tell(result, said) {
    const differs = result.checks.some((one) => one.state === "differs");
    say(parts.status, differs ? verifying.differs : verifying.unsealed[result.unsealed] ?? verifying.fits);
    parts.status.classList.toggle("bad", differs);
    say(parts.sealed, result.unsealed || differs ? "" : verifying.sealedBy(result.sealedBy, codeShown(result.code)));
    const unproven = result.checks.flatMap((one) => one.about?.unproven ?? []);
    parts.checks.replaceChildren(...result.checks.map((one) => check(one)));
    parts.limits.replaceChildren(...[...(result.closed ? verifying.closedLimits : verifying.openLimits), ...result.voids.map(verifying.isVoid),
      ...unproven.map(verifying.unproven), verifying.always].map((text) => make("li", {}, text)));
    say(parts.server, said);
    details.hidden = false;
  }

  function offer(files) {
    parts.buttons.replaceChildren(...files.map(([label, name, lines]) => saved(label, name, lines)),
      button(verifying.close, () => place.close()));
  }

  return { section, show, paint() {} };
}

function check(one) {
  return make(`li.${one.state}`, {}, make("b", {}, verifying.state[one.state]), ": ", checkSaid(one));
}

function button(label, press) {
  const made = make("button", { type: "button" }, label);
  made.addEventListener("click", press);
  return made;
}

/** Return a button that saves lines as a file. */
function saved(label, name, lines) {
  return button(label, () => {
    const url = URL.createObjectURL(new Blob([`${lines.join("\n")}\n`], { type: "application/json" }));
    make("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  });
}
