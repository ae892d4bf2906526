// Fields for many moves: an amount, a move that is put together part by part, and a field that completes what you type.

import { amounts, moveOf, steps } from "/choices.js";
import { keep, make, say, set } from "/dom.js";
import { capital } from "/speech.js";
import { words } from "/words.js";

const PILLS = 7;
const SOON = 120;

export class Fields {
  /** `act` makes moves, completes texts, and keeps what someone has chosen in this turn. */
  constructor(box, act) {
    this.act = act;
    this.parts = make("div.parts");
    this.submit = make("button.go.stop", { type: "submit" });
    this.builder = make("form.builder", { id: "builder" }, this.parts);
    set(this.submit, { form: "builder" });
    this.combo = combobox(act);
    this.amount = make("form.amount");
    box.append(this.builder, this.amount, make("div.last", {}, this.submit, this.combo.form));
    this.builder.addEventListener("submit", (event) => this.made(event, () => this.move));
    this.amount.addEventListener("submit", (event) => this.made(event, () => `${this.group.verb} ${this.number.value}`));
    this.builder.addEventListener("change", (event) => this.chosen(event.target));
    this.builder.addEventListener("click", (event) => this.stepped(event.target.closest("[data-step]")));
  }

  made(event, move) {
    event.preventDefault();
    if (!this.off) this.act.make(move());
  }

  show(table, graph, group, widget, off) {
    Object.assign(this, { table, graph, group, off });
    this.builder.hidden = this.submit.hidden = this.combo.form.hidden = widget !== "parts";
    this.amount.hidden = widget !== "amount";
    if (widget === "amount") this.showAmount();
    else this.showParts();
    this.combo.show(group, off);
    for (const button of [this.submit, ...this.amount.querySelectorAll("[type=submit]")]) set(button, { "aria-disabled": off ? "true" : null });
  }

  // part by part

  get wish() {
    return (this.act.wish()[this.group.verb] ??= []);
  }

  showParts() {
    const made = steps(this.graph, this.group.verb, this.wish);
    this.move = moveOf(this.group.verb, made);
    this.made_ = made;
    keep(this.parts, made.map((step, at) => [`${at} ${step.options}`, () => stepOf(step, at), (box) => choose(box, step)]));
    say(this.submit, capital(this.move));
    set(this.submit, { "data-move": this.move });
  }

  chosen(field) {
    const at = Number(field.dataset.at);
    this.wish.length = Math.max(this.wish.length, at);
    for (let before = 0; before < at; before++) this.wish[before] = this.made_[before].chosen;
    this.wish[at] = field.value;
    this.showParts();
  }

  stepped(button) {
    if (!button) return;
    const select = button.parentElement.querySelector("select");
    const to = select.selectedIndex + Number(button.dataset.step);
    if (to < 0 || to >= select.options.length) return;
    select.selectedIndex = to;
    this.chosen(select);
  }

  // amounts

  showAmount() {
    const { graph, group, table } = this;
    const numbers = graph.parts(graph.after([group.verb])).map(([part]) => Number(part));
    const key = `${table.number}/${table.seq}`;
    if (this.amount.dataset.key === key) return;
    this.amount.dataset.key = key;
    this.number = make("input", { type: "number", id: "amount", min: numbers[0], max: numbers.at(-1), value: numbers[0], inputmode: "numeric" });
    const label = make("span");
    const button = make("button.go", { type: "submit" }, label);
    const changed = () => say(label, group.text.replace(/\d+(?=\D*$)/u, this.number.value));
    this.number.addEventListener("input", changed);
    const named = amounts(numbers, table.ask?.amounts).map(({ text, number }) => {
      const one = make("button.pill", { type: "button" }, text);
      one.addEventListener("click", () => {
        this.number.value = number;
        changed();
      });
      return one;
    });
    this.amount.replaceChildren(make("label", { for: "amount" }, words.amountOf(capital(group.verb), numbers[0], numbers.at(-1))),
      make("div.row", {}, this.number, ...named, button));
    changed();
  }
}

/** Return the field for a step: pills for a few options, else a list with buttons for one more and one less. */
function stepOf(step, at) {
  const head = step.head === "+" ? words.withMore : capital(step.head || words.part);
  if (step.options.length <= PILLS || step.options.some((part) => part.length > 3 && !/^\w+s$/u.test(part))) {
    const pills = step.options.map((part) => make("label.pill", {},
      make("input", { type: "radio", name: `part-${at}`, value: part, "data-at": at }), make("span", {}, named(part, step.head))));
    return make("fieldset", {}, make("legend", {}, head), make("div.pills", {}, ...pills));
  }
  const select = make("select", { "data-at": at, "aria-label": head }, ...step.options.map((part) => make("option", { value: part }, named(part, step.head))));
  return make("fieldset.stepper", {}, make("legend", {}, head), make("div.pills", {},
    make("button", { type: "button", "data-step": -1, "aria-label": words.less(head) }, "−"), select,
    make("button", { type: "button", "data-step": 1, "aria-label": words.moreOf(head) }, "+")));
}

function choose(box, { chosen, options }) {
  for (const input of box.querySelectorAll("input")) input.checked = input.value === chosen;
  const select = box.querySelector("select");
  if (!select) return;
  select.value = chosen;
  const at = options.indexOf(chosen);
  const [less, more] = box.querySelectorAll("[data-step]");
  set(less, { "aria-disabled": at === 0 ? "true" : null });
  set(more, { "aria-disabled": at === options.length - 1 ? "true" : null });
}

function named(part, head) {
  if (!part) return head === "+" ? words.none : words.any;
  const plain = part.replace(/^\+ /u, "");
  return plain === "T" ? "10" : plain;
}

/** Return a field that completes moves: an editable combobox with a list (ARIA 1.2). */
function combobox(act) {
  const list = make("ul", { id: "moves-list", role: "listbox", hidden: true });
  const field = make("input", { id: "move", role: "combobox", "aria-expanded": "false", "aria-controls": "moves-list", "aria-autocomplete": "list",
    autocomplete: "off", autocapitalize: "off", spellcheck: "false", enterkeyhint: "send" });
  const label = make("label", { for: "move" }), button = make("button", { type: "submit" }, words.make);
  const form = make("form.typed", {}, label, make("div.row", {}, make("div.combo", {}, field, list), button));
  set(list, { "aria-label": words.completions });
  let verb = "", verbs = [], at = -1, timer = null, serial = 0;
  const typed = () => {
    const text = field.value.trim();
    return verbs.includes(text.split(" ")[0]) ? text : `${verb} ${text}`.trim();
  };
  const point = (to) => {
    const options = [...list.children];
    at = options.length ? (to + options.length) % options.length : -1;
    options.forEach((option, number) => set(option, { "aria-selected": String(number === at), id: `moves-${number}` }));
    set(field, { "aria-activedescendant": at < 0 ? null : `moves-${at}` });
    options[at]?.scrollIntoView({ block: "nearest" });
  };
  const close = () => {
    list.hidden = true;
    at = -1;
    set(field, { "aria-expanded": "false", "aria-activedescendant": null });
  };
  const open = async () => {
    const now = ++serial;
    const options = await act.complete(typed());
    if (now !== serial || document.activeElement !== field) return;
    keep(list, options.map(({ text, say: aloud }) => [text, () => make("li", { role: "option", "data-text": text, "aria-label": aloud ? `${text}, ${aloud}` : null }, make("b", {}, text),
      aloud ? make("span", {}, aloud) : "")]));
    at = -1;
    for (const option of list.children) set(option, { "aria-selected": "false" });
    list.hidden = !options.length;
    set(field, { "aria-expanded": String(options.length > 0), "aria-activedescendant": null });
  };
  const take = (text) => {
    field.value = text;
    close();
  };
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(open, SOON);
  });
  field.addEventListener("blur", () => setTimeout(() => document.activeElement === field || close(), 150));
  list.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    const option = event.target.closest("[role=option]");
    if (option) take(option.dataset.text);
  });
  field.addEventListener("keydown", async (event) => {
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (list.hidden) await open();
      point(event.key === "ArrowDown" ? at + 1 : Math.max(at, 0) - 1);
    } else if (event.key === "Enter" && at >= 0) {
      event.preventDefault();
      take(list.children[at].dataset.text);
    } else if (event.key === "Escape" && !list.hidden) {
      event.stopPropagation();
      close();
    } else if (event.key === "Tab" && !event.shiftKey && field.value.trim() && list.children.length === 1 && !list.hidden) {
      event.preventDefault();
      take(list.children[0].dataset.text);
    }
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!field.value.trim() || button.getAttribute("aria-disabled")) return;
    act.make(typed());
    take("");
  });
  return {
    form,
    show(group, off) {
      verb = group.verb;
      verbs = [verb];
      say(label, words.typeMove(capital(verb), group.least, group.count));
      set(field, { placeholder: group.least });
      set(button, { "aria-disabled": off ? "true" : null });
    },
  };
}
