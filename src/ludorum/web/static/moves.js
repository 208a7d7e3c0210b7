// From clicks to moves: the moves whose paths begin with what was clicked so far, what can be clicked next, and a
// pop-up, a slider or buttons for what clicks leave open. The server says which path belongs to which move.

import { h, set } from "./dom.js";

const MOST_IN_POPUP = 12;
const MOST_BUTTONS = 8;

/**
 * @typedef {{move: string, path: Array<string>, label: string, number?: number | null}} Way
 */

/** Chooses a move by clicks, buttons and a list. */
export class Chooser {
  /**
   * @param {import("./board.js").BoardView} board
   * @param {(move: string) => void} onMove
   */
  constructor(board, onMove) {
    this.board = board;
    this.onMove = onMove;
    /** @type {Array<Way>} */ this.ways = [];
    this.leftOut = 0;
    /** @type {Array<string>} */ this.clicked = [];
    this.popup = h("div", { class: "popup", hidden: true, role: "group", "aria-label": "Choose" });
    this.buttons = h("div", { class: "buttons" });
    this.filter = h("input", { type: "search", placeholder: "filter moves", "aria-label": "Filter moves", oninput: () => this.drawList() });
    this.list = h("ul", { class: "moves" });
    this.count = h("span", { class: "quiet" });
    this.listing = h("section", { class: "panel listing", "aria-label": "Moves" },
      h("div", { class: "row" }, h("h2", {}, "Moves"), this.count), this.filter, this.list);
    /** @type {(move: string | null) => void} */ this.onHover = () => {};
  }

  /** @param {{list: Array<Way>, left_out: number} | null} moves what can be chosen now */
  show(moves) {
    this.ways = moves ? moves.list : [];
    this.leftOut = moves ? moves.left_out : 0;
    this.clicked = [];
    this.filter.value = "";
    this.draw();
  }

  /** Those whose path begins with the clicks. */
  get open() {
    return this.ways.filter((way) => this.clicked.every((place, number) => way.path[number] === place));
  }

  /** @param {string} place */
  click(place) {
    if (!this.ways.length) return;
    const clicked = [...this.clicked, place];
    const goesOn = this.ways.some((way) => clicked.every((id, number) => way.path[number] === id));
    if (goesOn) {
      this.clicked = clicked;
    } else if (this.clicked.at(-1) === place) {
      const ends = this.open.filter((way) => way.path.length === this.clicked.length);
      // A second click ends a path that could go on; else it takes the first one back.
      if (ends.length === 1) return this.take(ends[0]);
      this.clicked = this.clicked.slice(0, -1);
    } else {
      this.clicked = this.ways.some((way) => way.path[0] === place) ? [place] : [];
    }
    const open = this.open;
    // What lies in a tray need not be clicked where nothing else could be meant.
    if (this.clicked.length && open.length === 1 && open[0].path.slice(this.clicked.length).every((id) => id.startsWith("content:"))) return this.take(open[0]);
    this.draw();
  }

  /** @param {Way} way */
  take(way) {
    this.ways = [];
    this.clicked = [];
    this.draw();
    this.onMove(way.move);
  }

  clear() {
    if (!this.clicked.length) return false;
    this.clicked = [];
    this.draw();
    return true;
  }

  /** Show on the board what can be clicked next. */
  offer() {
    const depth = this.clicked.length;
    const open = this.open;
    const next = new Set(open.filter((way) => way.path.length > depth).map((way) => way.path[depth]));
    this.board.offer(next, this.clicked);
    return { depth, open, next };
  }

  draw() {
    const { depth, open, next } = this.offer();
    const ends = open.filter((way) => way.path.length === depth);
    if (depth && ends.length) this.ask(ends, next.size > 0);
    else this.popup.hidden = true;
    const placeless = this.ways.filter((way) => !way.path.length);
    set(this.buttons, placeless.length <= MOST_BUTTONS ? placeless.map((way) => this.button(way)) : this.slider(placeless));
    this.drawList();
  }

  /** @param {Array<Way>} ends @param {boolean} canGoOn */
  ask(ends, canGoOn) {
    const inside = ends.length > MOST_IN_POPUP ? this.slider(ends) : ends.map((way) => this.button(way, canGoOn && ends.length === 1 ? "stop here" : way.label));
    if (!inside) {
      this.popup.hidden = true;
      return;
    }
    set(this.popup, inside, h("button", { class: "plain", "aria-label": "Close", onclick: () => this.clear() }, "✕"));
    this.popup.hidden = false;
    if (!canGoOn && this.board.wantsFocus) this.popup.querySelector("button, input")?.focus();
  }

  /** Numbers in order, on a slider. @param {Array<Way>} ways */
  slider(ways) {
    const numbered = ways.filter((way) => way.number !== null && way.number !== undefined)
      .sort((one, other) => Number(one.number) - Number(other.number));
    if (!ways.length || numbered.length !== ways.length) return null;
    const shown = h("output", {}, numbered[0].label);
    const input = h("input", { type: "range", min: 0, max: numbered.length - 1, step: 1, value: 0, "aria-label": "How many",
      oninput: () => { shown.textContent = numbered[Number(input.value)].label; } });
    return h("div", { class: "slider" }, input, shown, h("button", { onclick: () => this.take(numbered[Number(input.value)]) }, "Play"));
  }

  /** @param {Way} way @param {string} [label] */
  button(way, label) {
    return h("button", { class: "move", onclick: () => this.take(way), title: way.move }, label || way.label || way.move);
  }

  drawList() {
    const wanted = this.filter.value.trim().toLowerCase();
    const open = this.open.filter((way) => way.move.toLowerCase().includes(wanted));
    const shown = open.slice(0, 300);
    const more = this.ways.length ? open.length - shown.length + this.leftOut : 0;
    this.count.textContent = this.ways.length ? `${open.length + this.leftOut}` : "";
    set(this.list, shown.map((way) => h("li", {}, h("button", {
      class: "plain", onclick: () => this.take(way),
      onmouseenter: () => { this.board.offer(way.path, way.path); this.onHover(way.move); },
      onmouseleave: () => { this.offer(); this.onHover(null); },
    }, way.move))), more > 0 && h("li", { class: "quiet" }, `… ${more} more; filter to find them`));
    this.filter.hidden = this.ways.length <= 8;
    this.listing.classList.toggle("none", !this.ways.length);
  }
}
