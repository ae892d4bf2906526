// The input line, which takes everything that telnet takes: talk, commands, moves and answers.

import { keep, make, say, set } from "/dom.js";
import { once } from "/once.js";
import { words } from "/words.js";

const REMEMBERED = 100;

export function line(place) {
  const form = document.querySelector("#say"), field = document.querySelector("#line"), secret = document.querySelector("#secret");
  const label = form.querySelector("label"), list = document.querySelector("#completions");
  const history = [];
  let at = 0, draft = "", option = -1, serial = 0;
  let begun = null; // what was on the page when the line was begun: a number in it is for that
  let returned = new Map(); // rows that were given back, and how they were sent

  const grow = () => {
    field.rows = Math.min(5, field.value.split("\n").length);
  };
  const put = (text) => {
    field.value = text;
    begun = text ? place.state.seen : null;
    grow();
    field.setSelectionRange(text.length, text.length);
  };
  const masked = () => Boolean(place.state.prompt?.secret);

  const close = () => {
    list.hidden = true;
    option = -1;
    set(field, { "aria-activedescendant": null });
  };
  const point = (to) => {
    const options = [...list.children];
    option = (to + options.length) % options.length;
    options.forEach((one, number) => set(one, { "aria-selected": String(number === option), id: `completion-${number}` }));
    set(field, { "aria-activedescendant": `completion-${option}` });
    options[option].scrollIntoView({ block: "nearest" });
  };
  const take = (text) => {
    put(`${text} `);
    close();
  };
  const complete = async () => {
    const now = ++serial;
    const { packets } = await place.look({ complete: field.value });
    const options = packets.find((packet) => packet.options)?.options ?? [];
    if (now !== serial || document.activeElement !== field) return;
    if (options.length === 1) take(options[0].text);
    if (options.length < 2) return;
    keep(list, options.map(({ text }) => [text, () => make("li", { role: "option", "data-text": text }, text)]));
    list.hidden = false;
    point(0);
  };

  /** Give rows back whose answers are lost, before what was typed meanwhile. They keep how they were sent. */
  const giveBack = (rows, sent) => {
    returned = new Map([[rows[0], sent]]);
    put([...rows, field.value].filter(Boolean).join("\n"));
    place.state.say({ kind: "notice", text: words.givenBack });
  };

  /** Put rows back that the server has refused unread, and say why. */
  const putBack = (rows, { text }) => {
    put([...rows, field.value].filter(Boolean).join("\n"));
    place.state.say({ kind: "error", text: words.refused(text) });
  };

  /** Send each row; the first that isn't answered comes back with the rest if the connection is lost or it's too long. */
  const send = async () => {
    const input = masked() ? secret : field, typed = input.value;
    if (!typed.trim() && !place.state.prompt) return;
    close();
    input.value = "";
    grow();
    if (input === field && typed.trim()) {
      history.push(typed);
      history.splice(0, history.length - REMEMBERED);
      at = history.length;
      draft = "";
    }
    const seen = begun ?? place.state.seen, known = returned, rows = typed.split("\n");
    begun = null;
    returned = new Map();
    for (const [number, row] of rows.entries()) {
      const sent = known.get(row) ?? { once: once(), seen };
      if (input === field && row.startsWith("/")) place.state.say({ kind: "typed", text: row });
      const early = !place.state.loggedIn && !place.state.prompt; // it would answer a question that nobody has read
      const error = early ? { code: "lost" } : await place.ask(place.state.loggedIn ? { line: row, ...sent } : { line: row });
      if (error?.code === "lost" && input === field) giveBack(rows.slice(number), sent);
      if (error?.code === "too-long" && input === field) putBack(rows.slice(number), error);
      if (error) break;
    }
    place.draw();
  };

  const recall = (to) => {
    if (to < 0 || to > history.length) return;
    if (at === history.length) draft = field.value;
    at = to;
    put(at === history.length ? draft : history[at]);
  };

  const key = (event) => {
    if (event.isComposing || event.keyCode === 229) return;  // Safari ends a composition before its Enter
    const open = !list.hidden, one = !field.value.includes("\n");
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      if (open && option >= 0) take(list.children[option].dataset.text);
      else if (!event.repeat) send();
    } else if (event.key === "Tab" && !event.shiftKey && (open || field.value.trim())) {
      event.preventDefault();
      if (open) point(option + 1);
      else complete();
    } else if (event.key === "Escape") {
      event.preventDefault();
      if (open) close();
      else document.querySelector("#act:not([hidden])")?.focus();
    } else if ((event.key === "ArrowUp" || event.key === "ArrowDown") && (open || one)) {
      event.preventDefault();
      const step = event.key === "ArrowUp" ? -1 : 1;
      if (open) point(option + step);
      else recall(at + step);
    }
  };

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send();
  });
  field.addEventListener("keydown", key);
  field.addEventListener("input", () => {
    begun = field.value ? begun ?? place.state.seen : null;
    close();
    grow();
  });
  field.addEventListener("blur", () => setTimeout(() => document.activeElement === field || close(), 150));
  list.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    const found = event.target.closest("[role=option]");
    if (found) take(found.dataset.text);
  });
  addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, textarea, select, dialog, [contenteditable]")) return;
    event.preventDefault();
    if (!field.value) put("/");
    field.focus();
  });

  return {
    paint() {
      const { prompt } = place.state, hidden = masked();
      if (secret.hidden === hidden) {
        const focused = document.activeElement === (hidden ? field : secret);
        secret.hidden = !hidden;
        field.hidden = hidden;
        if (focused) (hidden ? secret : field).focus();
        set(label, { for: hidden ? "secret" : "line" });
        if (!hidden) secret.value = "";
      }
      const asks = prompt && prompt.asks !== "login" ? words.prompt(prompt.text) : words.talkOrCommand;
      say(label, returned.size ? words.givenBack : asks);
    },
  };
}
