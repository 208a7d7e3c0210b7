// A scene as SVG: cells, what lies in them, and what is drawn over them. It knows no game: places have ids, and
// whoever made the board says which of them can be clicked.

import { h, s, set } from "./dom.js";

const UNIT = 40;
const RADIUS = 0.36 * UNIT;

/** A board that shows one scene after the other. */
export class BoardView {
  /** @param {(place: string) => void} onPlace called with the id of a place that was clicked */
  constructor(onPlace) {
    this.onPlace = onPlace;
    this.isFlipped = false;
    /** @type {any} */ this.scene = null;
    /** @type {Map<string, any>} by id: the cell, its element */
    this.places = new Map();
    this.svg = s("svg", { class: "board", role: "group", "aria-label": "Board" });
    this.cells = s("g", {});
    this.overlay = s("g", { class: "overlay", "aria-hidden": "true" });
    this.svg.append(this.cells, this.overlay);
    this.facts = h("ul", { class: "facts", "aria-label": "What else is true" });
    this.legend = h("p", { class: "legend" });
    this.element = h("div", { class: "boardbox" }, this.svg, this.facts, this.legend);
    /** @type {Set<string>} */ this.targets = new Set();
    /** @type {string | null} */ this.focused = null;
    /** @type {string | null} */ this.dragging = null;
    /** Whether the keyboard was last used on the board, so that the focus comes back when it is drawn anew. */
    this.wantsFocus = false;
    document.addEventListener("focusin", (event) => { this.wantsFocus = this.svg.contains(/** @type {Node} */ (event.target)); });
    this.svg.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.walk(event));
    this.svg.addEventListener("pointerdown", (/** @type {any} */ event) => { this.dragging = placeOf(event.target); });
    this.svg.addEventListener("pointerup", (/** @type {any} */ event) => this.drop(event));
    this.svg.addEventListener("click", (/** @type {any} */ event) => {
      const place = placeOf(event.target);
      if (place) this.choose(place);
    });
  }

  /** @param {string} place */
  choose(place) {
    this.focused = place;
    this.onPlace(place);
  }

  /** A press on one place that ends on another is two clicks. @param {any} event */
  drop(event) {
    const from = this.dragging;
    this.dragging = null;
    const under = document.elementFromPoint(event.clientX, event.clientY);
    const to = under && placeOf(under);
    if (from && to && from !== to) {
      this.choose(from);
      this.choose(to);
    }
  }

  /** @param {any} scene @param {Array<string>} marks the places that changed last */
  show(scene, marks = []) {
    this.scene = scene;
    this.places.clear();
    const marked = new Set(marks);
    if (!scene) {
      this.clear("There is too much that is possible to draw it.");
      return;
    }
    const pad = 6;
    const width = Math.max(scene.width, UNIT), height = Math.max(scene.height, UNIT);
    this.svg.setAttribute("viewBox", `${-pad} ${-pad} ${width + 2 * pad} ${height + 2 * pad}`);
    // A small board is drawn larger, so that it is easy to hit.
    const larger = Math.max(1.75, Math.min(2.6, 460 / (width + 2 * pad)));
    this.svg.setAttribute("width", String(Math.min(760, (width + 2 * pad) * larger)));
    this.svg.classList.toggle("empty", !scene.boards.length);
    const drawn = [];
    for (const board of scene.boards) {
      const flat = ["graph", "rings", "ring"].includes(board.geometry);
      const lines = board.lines.map((/** @type {any} */ [[a, b], [c, d]]) => {
        const [x1, y1] = this.at(a, b), [x2, y2] = this.at(c, d);
        return s("line", { x1, y1, x2, y2, class: flat ? "way" : "border" });
      });
      if (flat) drawn.push(...lines);
      for (const cell of board.cells) drawn.push(this.cell(cell, marked.has(cell.place.id)));
      if (!flat) drawn.push(...lines);
      for (const label of board.labels) {
        const [x, y] = this.at(label.x, label.y);
        drawn.push(text(x, y, label.text, 11, "boardlabel", label.anchor));
      }
    }
    set(this.cells, drawn);
    set(this.facts, scene.facts.map((/** @type {any} */ fact) => {
      if (!fact.place) return h("li", { class: "chip" }, fact.text);
      const chip = h("button", { class: "chip", "data-place": fact.place.id, onclick: () => this.choose(fact.place.id) }, fact.text);
      this.places.set(fact.place.id, { cell: null, element: chip });
      return h("li", {}, chip);
    }));
    set(this.legend, scene.legend.map((/** @type {any} */ content) => h("span", { class: "key" },
      s("svg", { viewBox: "-18 -18 36 36", width: 20, height: 20, "aria-hidden": "true" }, ...piece(content, 0, 0, 1, UNIT)),
      ` ${content.words}`)));
    this.roam();
  }

  /** No board, and why. @param {string} words */
  clear(words) {
    this.scene = null;
    this.places.clear();
    set(this.cells);
    set(this.legend);
    this.svg.classList.add("empty");
    set(this.facts, h("li", { class: "quiet" }, words));
  }

  /** A point, turned if the board is. @param {number} x @param {number} y @returns {[number, number]} */
  at(x, y) {
    return this.isFlipped && this.scene ? [this.scene.width - x, this.scene.height - y] : [x, y];
  }

  /** @param {any} cell @param {boolean} isMarked */
  cell(cell, isMarked) {
    const points = cell.polygon.map((/** @type {any} */ [x, y]) => this.at(x, y).map(short).join(",")).join(" ");
    const [x, y] = this.at(cell.x, cell.y);
    const shape = s("polygon", { points, class: `cell${cell.is_dark ? " dark" : ""}${isMarked ? " marked" : ""}` });
    const group = s("g", { "data-place": cell.place.id, class: "place", role: "img", "aria-label": cell.label }, shape);
    const xs = cell.polygon.map((/** @type {any} */ point) => point[0]);
    const room = Math.max(...xs) - Math.min(...xs);
    const held = cell.contents.filter((/** @type {any} */ content) => content.shape !== "blank");
    const scale = held.length < 2 ? 1 : held.length <= 4 ? 0.58 : 0.36;
    const across = held.length < 2 ? 1 : held.length <= 4 ? 2 : 3;
    const rows = Math.ceil(held.length / across);
    held.forEach((/** @type {any} */ content, /** @type {number} */ number) => {
      const px = x + (number % across - (across - 1) / 2) * 2.1 * RADIUS * scale;
      const py = y + (Math.floor(number / across) - (rows - 1) / 2) * 2.1 * RADIUS * scale;
      group.append(...piece(content, px, py, scale, room));
    });
    if (cell.doubt && cell.doubt.length) {
      const best = cell.doubt[0];
      group.append(text(x, y, "?", 17, "doubt"));
      group.append(text(x, y + 13, `${best.sign || best.words} ${Math.round(100 * best.odds)} %`, 6.5, "odds"));
    }
    this.places.set(cell.place.id, { cell, element: group });
    return group;
  }

  /** Which places can be clicked now, and which were. @param {Iterable<string>} targets @param {Array<string>} clicked */
  offer(targets, clicked = []) {
    this.targets = new Set(targets);
    const chosen = new Set(clicked);
    for (const [id, { element }] of this.places) {
      const isTarget = this.targets.has(id);
      element.classList.toggle("target", isTarget);
      element.classList.toggle("chosen", chosen.has(id));
      if (element.namespaceURI !== "http://www.w3.org/2000/svg") continue;
      element.setAttribute("role", isTarget ? "button" : "img");
    }
    this.roam();
  }

  /** One place at a time is in the order of the Tab key; arrows lead to the others. */
  roam() {
    const cells = [...this.places].filter(([, { cell }]) => cell);
    if (!cells.length) return;
    const known = this.focused && this.places.get(this.focused)?.cell ? this.focused : null;
    const first = known ?? (cells.find(([id]) => this.targets.has(id)) ?? cells[0])[0];
    const had = document.activeElement && this.svg.contains(document.activeElement);
    for (const [id, { element }] of cells) element.setAttribute("tabindex", id === first ? "0" : "-1");
    if (had || (known && this.wantsFocus)) this.places.get(first)?.element.focus({ preventScroll: true });
  }

  /** Arrow keys go to the nearest place in their direction. @param {KeyboardEvent} event */
  walk(event) {
    const here = placeOf(/** @type {any} */ (event.target));
    if (!here) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      event.stopPropagation();
      this.wantsFocus = true;
      this.choose(here);
      return;
    }
    const ways = /** @type {Record<string, [number, number]>} */ (
      { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] });
    const way = ways[event.key];
    if (!way || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    const [x, y] = this.middle(here);
    let best = null, least = Infinity;
    for (const [id, { cell }] of this.places) {
      if (!cell || id === here) continue;
      const [px, py] = this.middle(id);
      const along = (px - x) * way[0] + (py - y) * way[1];
      const aside = Math.abs((px - x) * way[1]) + Math.abs((py - y) * way[0]);
      if (along <= 1) continue;
      const far = along + 2.5 * aside;
      if (far < least) [best, least] = [id, far];
    }
    if (best) {
      this.focused = best;
      this.wantsFocus = true;
      this.roam();
      this.places.get(best)?.element.focus({ preventScroll: true });
    }
  }

  /** Where a place is. @param {string} id @returns {[number, number]} */
  middle(id) {
    const cell = this.places.get(id)?.cell;
    return cell ? this.at(cell.x, cell.y) : [0, 0];
  }

  /**
   * Draw what a search thinks: numbers in the cells where moves end, and arrows.
   * @param {Array<{path: Array<string>, text: string, note: string, weight: number, isBest: boolean, proved: boolean}>} items
   */
  overlayMoves(items) {
    set(this.overlay);
    const written = new Set();
    for (const item of [...items].reverse()) {
      const path = item.path.filter((id) => this.places.get(id)?.cell);
      if (path.length > 1) this.overlay.append(this.arrow(path, item));
    }
    for (const item of items) {
      const path = item.path.filter((id) => this.places.get(id)?.cell);
      const last = path.at(-1);
      if (!last || written.has(last)) continue;
      written.add(last);
      const [x, y] = this.middle(last);
      const group = s("g", { class: `thought${item.isBest ? " best" : ""}` });
      group.append(s("circle", { cx: x, cy: y, r: 15 }), text(x, y - 3, item.text, 11, "value"), text(x, y + 7.5, item.note, 6, "visits"));
      this.overlay.append(group);
    }
  }

  /** @param {Array<string>} path @param {any} item */
  arrow(path, item) {
    const points = path.map((id) => this.middle(id));
    const [ax, ay] = points[points.length - 2], [bx, by] = points[points.length - 1];
    const long = Math.hypot(bx - ax, by - ay) || 1;
    const ux = (bx - ax) / long, uy = (by - ay) / long;
    const wide = Math.max(1.5, 6 * item.weight);
    const tip = [bx - ux * 15, by - uy * 15];
    const line = [...points.slice(0, -1), [tip[0] - ux * wide, tip[1] - uy * wide]];
    const head = [[tip[0], tip[1]], [tip[0] - ux * wide * 2 - uy * wide * 1.4, tip[1] - uy * wide * 2 + ux * wide * 1.4],
      [tip[0] - ux * wide * 2 + uy * wide * 1.4, tip[1] - uy * wide * 2 - ux * wide * 1.4]];
    return s("g", { class: `arrow${item.isBest ? " best" : ""}` },
      s("polyline", { points: line.map((p) => p.map(short).join(",")).join(" "), "stroke-width": short(wide), fill: "none" }),
      s("polygon", { points: head.map((p) => p.map(short).join(",")).join(" ") }));
  }

  clearOverlay() {
    set(this.overlay);
  }

  flip() {
    this.isFlipped = !this.isFlipped;
  }
}

/** @param {Element} element @returns {string | null} */
function placeOf(element) {
  return element.closest?.("[data-place]")?.getAttribute("data-place") ?? null;
}

/** @param {number} value */
const short = (value) => Math.round(10 * value) / 10;

/** @param {number} x @param {number} y @param {string} words @param {number} size @param {string} kind @param {string} [anchor] */
function text(x, y, words, size, kind, anchor = "middle") {
  return s("text", { x: short(x), y: short(y), "font-size": short(size), "text-anchor": anchor, "dominant-baseline": "central", class: kind }, words);
}

/** What lies in a cell. @param {any} content @param {number} x @param {number} y @param {number} scale @param {number} room */
function piece(content, x, y, scale, room) {
  const radius = RADIUS * scale;
  if (content.count !== null && content.count !== undefined && room > UNIT) return seeds(content, x, y);
  if (content.shape === "sign" || content.shape === "number") {
    const size = Math.min(20 * scale, 1.5 * room * scale / Math.max(1, content.sign.length));
    const drawn = text(x, y, content.sign, size, "sign");
    if (content.colour !== "#222222") drawn.setAttribute("fill", content.colour);
    return [drawn];
  }
  if (content.shape === "blank") return [];
  if (content.shape === "stone") return [s("circle", { cx: short(x), cy: short(y), r: 0.13 * UNIT, fill: content.colour, class: "stone" })];
  const made = [shape(content, x, y, radius)];
  if (content.sign) {
    const size = Math.min(17 * scale, 2.6 * radius / Math.max(1, content.sign.length));
    made.push(text(x, y + (content.shape === "triangle" ? radius * 0.18 : 0), content.sign, size,
      content.shape === "ring" ? "sign" : "sign onpiece"));
  }
  return made;
}

/** @param {any} content @param {number} x @param {number} y @param {number} radius */
function shape(content, x, y, radius) {
  if (content.shape === "ring") {
    return s("circle", { cx: short(x), cy: short(y), r: short(radius * 0.85), fill: "none", stroke: content.colour, "stroke-width": short(radius * 0.35) });
  }
  if (content.shape === "disc") return s("circle", { cx: short(x), cy: short(y), r: short(radius), fill: content.colour, class: "piece" });
  const corners = content.shape === "triangle" ? 3 : 4;
  const turn = content.shape === "square" ? Math.PI / 4 : content.shape === "triangle" ? -Math.PI / 2 : 0;
  const reach = radius * 1.15;
  const points = Array.from({ length: corners }, (_, k) =>
    [x + reach * Math.cos(turn + 2 * Math.PI * k / corners), y + reach * Math.sin(turn + 2 * Math.PI * k / corners)]);
  return s("polygon", { points: points.map((p) => p.map(short).join(",")).join(" "), fill: content.colour, class: "piece" });
}

/** A number, and as many seeds. @param {any} content @param {number} x @param {number} y */
function seeds(content, x, y) {
  const made = [];
  const count = content.count;
  let left = x;
  if (count > 0 && count <= 25) {
    const rows = Math.ceil(count / 5);
    for (let number = 0; number < count; number++) {
      made.push(s("circle", { cx: short(x - 10 + 7 * (number % 5)), cy: short(y - 3.5 * (rows - 1) + 7 * Math.floor(number / 5)), r: 2.8, class: "seed" }));
    }
    left = x - 0.6 * UNIT;
  }
  made.push(text(left, y, content.sign, 14, "sign"));
  return made;
}
