// A small editor: a text area with a painted layer behind it. Colours, matching parentheses, squiggles under what is
// wrong, line numbers. It works wherever a text area does, with every keyboard and screen reader.

import { h, set } from "./dom.js";
import { formatted, kindOf, languageOf, words } from "./languages.js";

const LONG = 60_000;

export class Editor {
  /** @param {(text: string) => void} onInput */
  constructor(onInput) {
    this.onInput = onInput;
    /** @type {Array<any>} */ this.diagnostics = [];
    this.area = h("textarea", { class: "code", spellcheck: "false", autocapitalize: "off", autocomplete: "off", "aria-label": "Rules", wrap: "off",
      placeholder: "Paste or write rules here: GDL, Toss or a market. Or begin with an example." });
    this.paint = h("pre", { class: "paint", "aria-hidden": "true" });
    this.gutter = h("pre", { class: "gutter", "aria-hidden": "true" });
    this.element = h("div", { class: "editor" }, this.gutter, h("div", { class: "layers" }, this.paint, this.area));
    this.area.addEventListener("input", () => { this.diagnostics = []; this.draw(); this.onInput(this.area.value); });
    this.area.addEventListener("scroll", () => this.align());
    this.area.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.key(event));
    for (const name of ["click", "keyup", "focus"]) this.area.addEventListener(name, () => this.draw());
  }

  get text() {
    return this.area.value;
  }

  /** @param {string} text */
  set text(text) {
    this.area.value = text;
    this.draw();
    this.onInput(text);
  }

  /** @param {Array<any>} diagnostics */
  mark(diagnostics) {
    this.diagnostics = diagnostics;
    this.draw();
  }

  /** @param {number} line @param {number} column */
  goTo(line, column) {
    const lines = this.area.value.split("\n");
    const at = lines.slice(0, line - 1).reduce((/** @type {number} */ sum, /** @type {string} */ each) => sum + each.length + 1, 0) + column - 1;
    this.area.focus();
    this.area.setSelectionRange(at, at);
    this.area.scrollTop = Math.max(0, (line - 6) * 20);
    this.draw();
  }

  /** A new line begins as deep as its parentheses are. @param {KeyboardEvent} event */
  key(event) {
    if (event.key !== "Enter" || event.shiftKey || event.ctrlKey) return;
    event.preventDefault();
    const start = this.area.selectionStart;
    const isList = languageOf(this.area.value) === "lists";
    const indent = isList ? "  ".repeat(Math.min(8, depthAt(this.area.value, start))) : "";
    this.area.setRangeText(`\n${indent}`, start, this.area.selectionEnd, "end");
    this.area.dispatchEvent(new Event("input"));
  }

  format() {
    this.text = formatted(this.area.value);
  }

  draw() {
    const text = this.area.value;
    // Colouring a very long text at every key would take longer than typing it; what is wrong is shown all the same.
    const isLong = text.length > LONG;
    const pair = matching(text, this.area.selectionStart);
    const wrong = new Map();
    for (const found of this.diagnostics) {
      if (!wrong.has(found.line)) wrong.set(found.line, []);
      wrong.get(found.line).push(found);
    }
    let line = 1, start = 0;
    /** @type {Array<any>} */ const painted = [];
    let plain = "";
    const language = languageOf(text);
    for (const found of text.matchAll(words(language))) {
      const word = found[0], at = found.index;
      const kind = isLong ? "" : kindOf(word, language);
      const column = at - start + 1;
      const here = (wrong.get(line) || []).find((/** @type {any} */ each) => column <= each.column && each.column < column + word.length);
      const classes = [kind, here && (here.level === "error" ? "wrong" : "doubtful"), pair.includes(at) && "pair"].filter(Boolean).join(" ");
      if (classes) {
        painted.push(plain, h("span", { class: classes }, word));
        plain = "";
      } else plain += word;
      for (let index = word.indexOf("\n"); index >= 0; index = word.indexOf("\n", index + 1)) {
        line += 1;
        start = at + index + 1;
      }
    }
    set(this.paint, painted, plain, "\n");
    const count = text.split("\n").length;
    /** @type {Array<any>} */ const numbers = [];
    let right = "";
    for (let number = 1; number <= count; number += 1) {
      const here = wrong.get(number);
      if (!here) {
        right += `${number}\n`;
        continue;
      }
      const level = here.some((/** @type {any} */ each) => each.level === "error") ? "wrong" : "doubtful";
      numbers.push(right, h("span", { class: level }, `${number}\n`));
      right = "";
    }
    set(this.gutter, numbers, right);
    this.align();
  }

  align() {
    this.paint.scrollTop = this.gutter.scrollTop = this.area.scrollTop;
    this.paint.scrollLeft = this.area.scrollLeft;
  }
}

/** How many parentheses are open at a place. @param {string} text @param {number} at */
function depthAt(text, at) {
  let depth = 0;
  for (const found of text.slice(0, at).matchAll(/;[^\n]*|\(|\)/g)) depth += found[0] === "(" ? 1 : found[0] === ")" ? -1 : 0;
  return Math.max(0, depth);
}

/** The two parentheses of the pair that the cursor touches. @param {string} text @param {number} cursor @returns {Array<number>} */
function matching(text, cursor) {
  const at = [cursor, cursor - 1].find((index) => text[index] === "(" || text[index] === ")");
  if (at === undefined) return [];
  const open = [];
  for (const found of text.matchAll(/;[^\n]*|\(|\)/g)) {
    if (found[0] === "(") open.push(found.index);
    else if (found[0] === ")") {
      const begin = open.pop();
      if (begin === at || found.index === at) return begin === undefined ? [] : [begin, found.index];
    }
  }
  return [];
}
