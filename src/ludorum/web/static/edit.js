// Write rules: what is wrong is shown as one types, a board beside it, and play at once.

import { begin, get, post, Refused } from "./api.js";
import { BoardView } from "./board.js";
import { h, set, toast } from "./dom.js";
import { Editor } from "./editor.js";

const WAIT_MS = 180;
const KEPT = "ludorum:draft";

/** @param {Element} root */
export function editPage(root) {
  const status = h("p", { role: "status" });
  const findings = h("ul", { class: "findings", "aria-label": "What is wrong" });
  const board = new BoardView(() => {});
  const preview = h("div", { class: "preview", "aria-label": "The initial state" }, board.element);
  let waiting = 0, asked = 0;
  /** @param {string} text */
  const typed = (text) => {
    clearTimeout(waiting);
    try {
      localStorage.setItem(KEPT, text);
    } catch {
      // A draft that does not fit is not kept.
    }
    waiting = window.setTimeout(() => check(text), WAIT_MS);
  };
  /** @type {any} */ let editor = new Editor(typed);
  const examples = h("select", { "aria-label": "Examples", onchange: () => examples.value && load(examples.value) }, h("option", { value: "" }, "examples …"));
  const who = h("select", { "aria-label": "Who plays" }, [["first", "I move first"], ["second", "I move second"], ["all", "people play all"], ["none", "watch engines"]].map(([value, words]) => h("option", { value }, words)));
  set(root, h("div", { class: "edit" },
    h("section", {}, h("div", { class: "row" }, h("h1", {}, "Editor"), examples, h("button", { onclick: () => editor.format() }, "Format"), who,
      h("button", { class: "primary", onclick: () => play() }, "Play")), editor.element, status, findings),
    h("aside", { class: "panel" }, h("h2", {}, "The board"), preview)));

  /** @param {string} text */
  async function check(text) {
    const number = ++asked;
    if (!text.trim()) {
      set(findings);
      status.textContent = "";
      board.clear("The initial state is drawn here as soon as the rules tell enough.");
      return;
    }
    try {
      const told = await post("/api/check", { rules: text });
      if (number !== asked) return;
      editor.mark(told.diagnostics);
      const errors = told.diagnostics.filter((/** @type {any} */ each) => each.level === "error").length;
      status.textContent = errors ? `${errors} ${errors === 1 ? "error" : "errors"}` : told.diagnostics.length ? `${told.diagnostics.length} doubtful` : "No mistakes found.";
      set(findings, told.diagnostics.map((/** @type {any} */ each) => h("li", { class: each.level }, h("button", { class: "plain", onclick: () => editor.goTo(each.line, each.column) }, `${each.line}:${each.column}`),
        ` ${each.message} `, h("code", {}, each.code), each.help && h("span", { class: "quiet" }, ` ${each.help}`))));
      if (!errors) draw(text, number);
    } catch (error) {
      if (number === asked) status.textContent = /** @type {Error} */ (error).message;
    }
  }

  let drawing = false;
  /** The board of the initial state. @param {string} text @param {number} number */
  async function draw(text, number) {
    if (drawing) return;
    drawing = true;
    try {
      const { view } = await post("/api/preview", { rules: text });
      if (view) board.show(view.scene, []);
    } catch (error) {
      if (number === asked) board.show(null);
      if (error instanceof Refused && number === asked) status.textContent += ` It cannot be played: ${error.message}`;
    }
    drawing = false;
    if (number !== asked && editor.text.trim()) check(editor.text);
  }

  async function play() {
    try {
      const id = await begin({ rules: editor.text, name: nameOf(editor.text), seats: who.value });
      window.dispatchEvent(new CustomEvent("go", { detail: `/m/${id}` }));
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
      if (error instanceof Refused && error.diagnostics.length) editor.mark(error.diagnostics);
    }
  }

  /** @param {string} name */
  async function load(name) {
    try {
      editor.text = (await get(`/api/game/${encodeURIComponent(name)}`)).rules;
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
  }

  get("/api/games").then(async (told) => {
    for (const game of told.games) examples.append(h("option", { value: game.name }, game.title));
    if (!told.has_codemirror) return;
    const { codeMirror } = await import("./codemirror.js");
    const better = await codeMirror(typed, editor.text);
    // What was typed or loaded meanwhile.
    if (better.text !== editor.text) better.text = editor.text;
    better.mark(editor.diagnostics);
    editor.element.replaceWith(better.element);
    editor = better;
  }).catch(() => {});
  const wanted = new URLSearchParams(location.search).get("game");
  let draft = "";
  try {
    draft = localStorage.getItem(KEPT) || "";
  } catch {
    // None.
  }
  if (wanted) load(wanted);
  else editor.text = draft;
  return () => clearTimeout(waiting);
}

/** The title that rules give themselves. @param {string} text */
function nameOf(text) {
  return /^\s*(?:;+|\/\/|%)\s*title:\s*(.+)$/m.exec(text)?.[1].trim().slice(0, 60) || "game";
}
