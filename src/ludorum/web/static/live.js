// The search, live: values in goals on the board and beside it, the line it expects, a graph over the match, a review.

import { act } from "./api.js";
import { h, s, set, toast } from "./dom.js";

const LEAST_SHARE = 0.02;

export class Live {
  /** @param {any} page the match */
  constructor(page) {
    this.page = page;
    this.isOn = false;
    this.arrows = true;
    /** @type {any} */ this.found = null;
    /** @type {any} */ this.review = null;
    this.bar = h("div", { class: "evalbar", hidden: true, role: "img", "aria-label": "What the state is worth" });
    this.switch = h("button", { class: "switch", "aria-pressed": "false", onclick: () => this.toggle() }, "Start");
    this.numbers = h("p", { class: "quiet numbers" });
    this.table = h("ol", { class: "thoughts" });
    this.lineBox = h("p", { class: "line" });
    this.graph = h("div", { class: "graph" });
    this.losses = h("ul", { class: "losses" });
    this.reviewButton = h("button", { onclick: () => this.runReview() }, "Review");
    this.element = h("section", { class: "panel live", "aria-label": "The search" },
      h("div", { class: "row" }, h("h2", {}, "Search"), this.switch, this.reviewButton), this.numbers, this.table, this.lineBox, this.graph, this.losses);
  }

  async toggle() {
    this.isOn = !this.isOn;
    this.drawSwitch();
    if (this.isOn) return this.follow();
    this.found = null;
    this.draw();
    await this.page.attempt(() => act(this.page.id, "halt"));
  }

  drawSwitch() {
    this.switch.setAttribute("aria-pressed", String(this.isOn));
    this.switch.textContent = this.isOn ? "Stop" : "Start";
  }

  toggleArrows() {
    this.arrows = !this.arrows;
    this.draw();
  }

  /** Search where somebody looks. */
  async follow() {
    this.element.hidden = Boolean(this.page.told?.is_secret);
    this.drawGraph();
    if (!this.isOn || !this.page.told) return;
    const where = this.where();
    if (this.asked === JSON.stringify(where) && this.found) return;
    this.asked = JSON.stringify(where);
    this.found = null;
    this.draw();
    if (this.page.view?.over) return;
    try {
      await act(this.page.id, "search", where);
    } catch (error) {
      this.isOn = false;
      this.drawSwitch();
      this.page.complain(error);
    }
  }

  where() {
    return { step: this.page.at ?? this.page.told.step, line: this.page.line };
  }

  /** @param {any} found */
  take(found) {
    if (!this.isOn) return;
    if (!found || JSON.stringify({ step: found.step, line: found.line_from ?? this.page.line }) !== JSON.stringify(this.where())) return;
    this.found = found;
    this.draw();
  }

  draw() {
    const found = this.isOn ? this.found : null;
    this.bar.hidden = !found;
    if (!found) {
      set(this.table);
      set(this.lineBox);
      this.numbers.textContent = this.isOn ? "…" : "";
      this.page.board.clearOverlay();
      return;
    }
    this.drawBar(found.values);
    const speed = found.seconds > 0 ? Math.round(found.playouts / found.seconds) : 0;
    this.numbers.textContent = `${found.playouts.toLocaleString()} playouts, ${speed.toLocaleString()} a second, ${found.nodes.toLocaleString()} nodes${found.is_solved ? ", solved" : found.is_on ? "" : ", stopped"}`;
    const role = Object.keys(found.moves).includes(this.page.role) ? this.page.role : Object.keys(found.moves)[0];
    const moves = found.moves[role] || [];
    const most = moves.reduce((/** @type {number} */ sum, /** @type {any} */ move) => sum + move.visits, 0) || 1;
    const best = moves.find((/** @type {any} */ move) => move.move === found.best[role]) || moves[0];
    set(this.table, moves.slice(0, 8).map((/** @type {any} */ move) => h("li", { class: move === best ? "best" : "" },
      h("span", { class: "num" }, `${move.value.toFixed(0)}${move.proved ? "!" : ""}`), ` ${move.move} `,
      h("span", { class: "quiet" }, `${Math.round(100 * move.visits / most)} %`))));
    set(this.lineBox, found.line.length > 0 && [h("span", { class: "quiet" }, "expected: "),
      found.line.map((/** @type {any} */ joint, /** @type {number} */ number) => h("button", {
        class: "plain", onmouseenter: () => this.preview(number + 1), onfocus: () => this.preview(number + 1),
        onmouseleave: () => this.endPreview(), onblur: () => this.endPreview() },
      Object.values(joint).filter((move) => String(move).startsWith("(")).join(" ") || Object.values(joint)[0]))]);
    const ways = new Map(((this.page.view?.moves || {})[role]?.list || []).map((/** @type {any} */ way) => [way.move, way.path]));
    if (this.previewing) return;
    this.page.board.overlayMoves(moves.filter((/** @type {any} */ move) => move.visits / most >= LEAST_SHARE || move === best)
      .map((/** @type {any} */ move) => {
        // The wider the arrow, the less is lost by the move.
        const loss = Math.max(0, best.value - move.value) / 100;
        return { path: this.arrows || (ways.get(move.move) || []).length < 2 ? ways.get(move.move) || [] : (ways.get(move.move) || []).slice(-1),
          text: `${move.value.toFixed(0)}${move.proved ? "!" : ""}`, note: compact(move.visits), weight: Math.max(0, 1 - 5 * loss), isBest: move === best, proved: move.proved };
      }).filter((/** @type {any} */ item) => item.weight > 0));
  }

  /** @param {Record<string, number | null>} values */
  drawBar(values) {
    const known = Object.entries(values).filter(([, value]) => value !== null);
    const total = known.reduce((sum, [, value]) => sum + Number(value), 0) || 1;
    const colours = Object.fromEntries(this.page.view?.scene?.roles?.map((/** @type {any} */ role) => [role.name, role.colour]) ?? []);
    this.bar.setAttribute("aria-label", known.map(([role, value]) => `${role} ${value}`).join(", "));
    set(this.bar, known.map(([role, value]) => {
      const part = h("div", { title: `${role} ${value}` }, h("span", {}, Number(value).toFixed(0)));
      part.style.flexGrow = String(known.length > 1 ? Number(value) / total : 1);
      part.style.background = colours[role] || "#888";
      return part;
    }));
  }

  /** Play the expected line out on the board. @param {number} length */
  async preview(length) {
    this.previewing = true;
    const { step, line } = this.where();
    const expected = this.found?.line.slice(0, length) ?? [];
    try {
      const { views } = await act(this.page.id, "look", { step, line: [...line, ...expected] });
      if (!this.previewing) return;
      const view = views.at(-1);
      this.page.board.show(view.scene, view.marks);
      this.page.board.clearOverlay();
    } catch {
      // The line was of a state that is gone.
    }
  }

  endPreview() {
    this.previewing = false;
    if (this.page.view) this.page.board.show(this.page.view.scene, this.page.view.marks);
    this.page.chooser.offer();
    this.draw();
  }

  /** Space plays the best move. */
  playBest() {
    const best = this.found?.best?.[this.page.role];
    const way = this.page.chooser.ways.find((/** @type {any} */ each) => each.move === best);
    if (way) this.page.chooser.take(way);
  }

  async runReview() {
    this.reviewButton.disabled = true;
    this.review = { values: [] };
    try {
      this.review = await act(this.page.id, "review", {});
      if (!this.review.losses.length) toast("No move gave much away.");
    } catch (error) {
      this.page.complain(error);
    }
    this.reviewButton.disabled = false;
    this.reviewButton.textContent = "Review";
    this.drawGraph();
  }

  /** @param {any} told */
  takeReview(told) {
    if (!this.review) return;
    this.review.values[told.step] = told.values;
    this.reviewButton.textContent = `Review ${Math.round(100 * (told.step + 1) / told.steps)} %`;
    this.drawGraph();
  }

  /** What states were worth over the match: as the review says, else as the engines said when they moved. */
  drawGraph() {
    const told = this.page.told;
    if (!told) return;
    const values = this.review?.values?.length ? this.review.values : told.values;
    const roles = told.roles.filter((/** @type {string} */ role) => values.some((/** @type {any} */ each) => each && each[role] !== undefined && each[role] !== null));
    const colours = Object.fromEntries(this.page.view?.scene?.roles?.map((/** @type {any} */ role) => [role.name, role.colour]) ?? []);
    const steps = Math.max(1, told.step);
    if (!roles.length || told.step < 2) {
      set(this.graph);
    } else {
      const at = this.page.at ?? told.step;
      const picture = s("svg", { viewBox: "0 0 300 80", preserveAspectRatio: "none", role: "img", "aria-label": "What states were worth over the match" },
        s("line", { x1: 0, x2: 300, y1: 40, y2: 40, class: "middle" }),
        roles.slice(0, 4).map((/** @type {string} */ role) => s("polyline", { fill: "none", stroke: colours[role] || "currentColor", "stroke-width": 1.5, points: values
          .map((/** @type {any} */ each, /** @type {number} */ step) => each && typeof each[role] === "number" ? `${(300 * step / steps).toFixed(1)},${(78 - 0.76 * each[role]).toFixed(1)}` : null)
          .filter(Boolean).join(" ") })),
        s("line", { x1: 300 * at / steps, x2: 300 * at / steps, y1: 0, y2: 80, class: "now" }));
      picture.addEventListener("click", (/** @type {MouseEvent} */ event) => {
        const box = picture.getBoundingClientRect();
        this.page.go(Math.round(steps * (event.clientX - box.left) / box.width));
      });
      set(this.graph, picture);
    }
    set(this.losses, (this.review?.losses || []).map((/** @type {any} */ loss) => h("li", {}, h("button", {
      class: "plain", onclick: () => this.page.go(loss.step) }, `${loss.step + 1}. ${loss.role} ${loss.move}`),
    h("span", { class: "quiet" }, ` gave away ${loss.loss.toFixed(0)}${loss.proved ? " (proved)" : ""}; better ${loss.best}`))));
  }
}

/** @param {number} count */
function compact(count) {
  return count >= 1e6 ? `${(count / 1e6).toFixed(1)}M` : count >= 1e3 ? `${(count / 1e3).toFixed(1)}k` : String(count);
}
