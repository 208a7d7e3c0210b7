// The page of a match: the board, the seats, the moves so far, and what the search thinks.

import { act, begin, keep, keysOf, Refused } from "./api.js";
import { BoardView } from "./board.js";
import { h, say, set, toast } from "./dom.js";
import { Live } from "./live.js";
import { Chooser } from "./moves.js";
import { notFound } from "./nothing.js";
import { seatMenu } from "./seats.js";

const HELP = [
  ["←  →", "step back and forward"], ["↑  ↓ or Home  End", "to the first and the last state"], ["Space", "play the best move, when the search is on"],
  ["f", "flip the board"], ["l", "search on or off"], ["a", "arrows on or off"], ["u", "undo"], ["h", "hint"],
  ["arrow keys on the board", "from cell to cell; Enter chooses"], ["Esc", "forget the clicks so far"], ["?", "this help"],
];

/** @param {Element} root @param {string} id @returns {() => void} what ends it */
export function matchPage(root, id) {
  takeKeyFromAddress(id);
  const page = new MatchPage(root, id);
  return () => page.close();
}

/** An invitation has the key of a seat in its address. @param {string} id */
function takeKeyFromAddress(id) {
  const told = new URLSearchParams(location.hash.slice(1));
  const role = told.get("role"), key = told.get("seat");
  if (role && key) {
    keep(id, { ...keysOf(id), [role]: key });
    history.replaceState(null, "", location.pathname);
  }
}

class MatchPage {
  /** @param {Element} root @param {string} id */
  constructor(root, id) {
    this.root = root;
    this.id = id;
    /** @type {any} the match as it was told last */
    this.told = null;
    /** @type {Array<Record<string, string>>} */
    this.moves = [];
    /** @type {number | null} the step that is looked at, null for the last */
    this.at = null;
    /** @type {Array<Record<string, string>>} moves beyond that step that were tried out */
    this.line = [];
    /** @type {any} */ this.view = null;
    /** @type {string | null} whose choice the board is for */
    this.role = null;
    this.board = new BoardView((place) => this.chooser.click(place));
    this.chooser = new Chooser(this.board, (move) => this.play(move));
    this.live = new Live(this);
    this.status = h("p", { class: "status" });
    this.seats = h("div", { class: "seats" });
    this.history = h("ol", { class: "history", "aria-label": "Moves so far" });
    this.slider = h("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Step", oninput: () => this.go(Number(this.slider.value)) });
    this.place = h("span", { class: "quiet" });
    this.turns = h("div", { class: "turns", role: "group", "aria-label": "Who you choose for" });
    this.actions = h("div", { class: "actions" });
    this.known = h("p", { class: "quiet" });
    this.details = h("details", { class: "truth" }, h("summary", {}, "Everything that is true"), h("pre", {}));
    this.help = h("dialog", { class: "help", "aria-label": "Keys" }, h("h2", {}, "Keys"),
      h("dl", {}, HELP.map(([key, what]) => [h("dt", {}, key), h("dd", {}, what)])),
      h("form", { method: "dialog" }, h("button", {}, "Close")));
    this.title = h("h1", {}, "…");
    set(root, h("div", { class: "match" },
      h("section", { class: "table", "aria-label": "Board and state" }, h("div", { class: "row" }, this.title, this.status),
        h("div", { class: "play" }, this.live.bar, this.board.element), this.turns, this.chooser.popup, this.chooser.buttons, this.known,
        h("div", { class: "steps" },
          h("button", { class: "plain", "aria-label": "First", onclick: () => this.go(0) }, "«"),
          h("button", { class: "plain", "aria-label": "Back", onclick: () => this.step(-1) }, "‹"),
          this.slider,
          h("button", { class: "plain", "aria-label": "Forward", onclick: () => this.step(1) }, "›"),
          h("button", { class: "plain", "aria-label": "Last", onclick: () => this.go(null) }, "»"), this.place),
        this.actions, this.details),
      h("aside", { class: "side" }, this.seats, this.live.element, this.chooser.listing,
        h("section", { class: "panel", "aria-label": "History" }, h("h2", {}, "Moves so far"), this.history))), this.help);
    this.onKey = (/** @type {KeyboardEvent} */ event) => this.key(event);
    document.addEventListener("keydown", this.onKey);
    this.ticking = window.setInterval(() => this.tick(), 500);
    this.connect();
  }

  connect() {
    const keys = Object.values(keysOf(this.id)).join(",");
    this.stream?.close();
    const stream = this.stream = new EventSource(`/api/match/${this.id}/events?keys=${keys}`);
    stream.addEventListener("state", (event) => this.take(JSON.parse(event.data)));
    stream.addEventListener("choices", (event) => {
      if (!this.told) return;
      Object.assign(this.told, JSON.parse(event.data));
      this.drawStatus();
    });
    stream.addEventListener("search", (event) => this.live.take(JSON.parse(event.data)));
    stream.addEventListener("review", (event) => this.live.takeReview(JSON.parse(event.data)));
    stream.addEventListener("trouble", (event) => {
      this.told.trouble = JSON.parse(event.data);
      this.drawStatus();
    });
    stream.onerror = async () => {
      if (stream.readyState !== EventSource.CLOSED) return;
      // The server has answered, but not with a stream: it says why.
      try {
        const response = await fetch(`/api/match/${this.id}`);
        if (!response.ok) {
          const told = await response.json();
          this.status.textContent = told.message;
          if (![500, 503].includes(response.status)) {
            const title = response.status === 404 ? "There is no such match" : "This match cannot be shown";
            return notFound(this.root, title, response.status === 404 ? "It may have been deleted, or the address is not whole." : told.message);
          }
        }
      } catch {
        this.status.textContent = "The server cannot be reached; trying again …";
      }
      this.again = window.setTimeout(() => this.connect(), 1500);
    };
  }

  close() {
    this.stream?.close();
    clearInterval(this.ticking);
    clearTimeout(this.again);
    document.removeEventListener("keydown", this.onKey);
  }

  /** @param {any} told */
  take(told) {
    const isFirst = this.told === null;
    this.told = told;
    this.took = performance.now();
    this.moves = [...this.moves.slice(0, told.since), ...told.moves];
    if (this.at !== null && this.at > told.step) this.at = null;
    if (this.at === told.step && !this.line.length) this.at = null;
    document.title = `${told.title} – Ludorum`;
    this.title.textContent = told.title;
    this.mine = told.roles.filter((/** @type {string} */ role) => told.seats[role].is_mine && told.seats[role].kind === "person");
    if (isFirst && this.mine.length === 1 && told.roles.indexOf(this.mine[0]) === 1 && told.roles.length === 2) this.board.isFlipped = true;
    this.drawSeats();
    this.drawHistory();
    this.drawActions();
    this.slider.max = String(told.step);
    if (this.at === null) this.showLatest();
    else this.drawPlace();
    this.drawStatus();
    this.live.follow();
  }

  /** The view of the last state: everybody's, or that of the seat that one sits at. */
  showLatest() {
    this.line = [];
    const told = this.told;
    const ready = this.mine.filter((/** @type {string} */ role) => !told.chosen.includes(role));
    const own = told.own || {};
    const views = told.view ? Object.fromEntries(told.roles.map((/** @type {string} */ role) => [role, told.view])) : own;
    const choosing = ready.filter((/** @type {string} */ role) => views[role]?.moves?.[role]);
    if (!this.role || !choosing.includes(this.role)) this.role = choosing[0] ?? (told.view ? null : this.mine[0] ?? null);
    set(this.turns, choosing.length > 1 && choosing.map((/** @type {string} */ role) => h("button", {
      "aria-pressed": role === this.role, onclick: () => { this.role = role; this.showLatest(); } }, role)));
    const view = told.view ?? (this.role ? own[this.role] : null);
    this.show(view);
    this.chooser.show(this.role && view && told.outcome === "playing" ? view.moves[this.role] ?? null : null);
    this.drawPlace();
  }

  /** @param {any} view */
  show(view) {
    this.view = view;
    if (!view) {
      this.board.show({ width: 40, height: 40, boards: [], legend: [], facts: [{ text: "This game has secrets: it is shown when the match is over.", place: null }] });
      this.known.textContent = "";
      return;
    }
    this.board.show(view.scene, view.marks);
    const possible = view.possible;
    this.known.textContent = !possible ? "" : possible.states === 1 ? "You know the whole state." :
      `${possible.is_exact ? "" : "At least "}${possible.states} states are possible for you.`;
    if (view.percepts?.length) this.known.textContent += ` You were told: ${view.percepts.join(", ")}.`;
    set(/** @type {any} */ (this.details.querySelector("pre")), (view.text || []).join("\n"));
    this.live.draw();
  }

  drawStatus() {
    const told = this.told;
    if (!told) return;
    let words;
    if (told.trouble) words = `The match cannot go on: ${told.trouble}`;
    else if (told.outcome !== "playing") {
      const resigned = told.errors.find((/** @type {any} */ error) => error.kind === "resigned");
      const goals = Object.entries(told.goals).map(([role, goal]) => `${role} ${goal ?? "–"}`).join(", ");
      words = resigned ? `${resigned.message}.` : told.outcome === "stuck" ? `Nobody can go on. ${goals}` : ended(told.goals);
    } else if (this.role && !told.chosen.includes(this.role) && this.chooser.ways.length) words = `${this.role}: your move`;
    else if (told.thinking.length) words = `${told.thinking.join(" and ")} thinking …`;
    else if (told.is_secret) words = "waiting for others …";
    else if (told.choosers.length) words = `waiting for ${told.choosers.filter((/** @type {string} */ role) => !told.chosen.includes(role)).join(" and ")}`;
    else words = "…";
    if (words !== this.status.textContent) {
      this.status.textContent = words;
      say(words);
    }
    this.status.classList.toggle("over", told.outcome !== "playing");
    this.tick();
  }

  tick() {
    const told = this.told;
    if (!told || told.clock_left === null || told.outcome !== "playing") return;
    const left = Math.max(0, told.clock_left - (performance.now() - (this.took ?? 0)) / 1000);
    for (const clock of this.seats.querySelectorAll(".clock")) clock.textContent = `${left.toFixed(0)} s`;
  }

  drawSeats() {
    const told = this.told;
    const colours = Object.fromEntries((told.view ?? Object.values(told.own || {})[0])?.scene?.roles?.map((/** @type {any} */ role) => [role.name, role.colour]) ?? []);
    set(this.seats, told.roles.map((/** @type {string} */ role) => {
      const seat = told.seats[role];
      const dot = h("span", { class: "dot" });
      if (colours[role]) dot.style.background = colours[role];
      const isTurn = told.choosers.includes(role) && told.outcome === "playing";
      return h("div", { class: `seat${isTurn ? " turn" : ""}` }, dot, h("b", {}, role),
        h("span", { class: "quiet" }, seat.is_mine && seat.kind === "person" ? "you" : seat.name),
        isTurn && told.clock_left !== null && h("span", { class: "clock" }),
        told.outcome !== "playing" && h("span", { class: "goal" }, told.goals[role] ?? "–"),
        seat.kind !== "chance" && this.mine.length > 0 && h("button", { class: "plain", "aria-label": `Change the seat of ${role}`,
          onclick: (/** @type {Event} */ event) => seatMenu(this, role, seat, /** @type {Element} */ (event.currentTarget)) }, "⋯"));
    }));
    this.tick();
  }

  drawHistory() {
    const shown = this.at ?? this.told.step;
    set(this.history, this.moves.map((joint, step) => h("li", {}, h("button", {
      class: "plain", "aria-current": step + 1 === shown ? "step" : null, onclick: () => this.go(step + 1) },
    // Who sits at several seats of a game with secrets sees what the one knows who has the turn.
    describeJoint(this.told.is_secret && this.role ? { [this.role]: joint[this.role] ?? "…" } : joint, this.told)))));
    const current = this.history.querySelector("[aria-current]");
    if (current) this.history.scrollTop = Math.max(0, /** @type {any} */ (current).offsetTop - 120);
  }

  drawPlace() {
    const at = this.at ?? this.told.step;
    this.slider.value = String(at);
    const beyond = this.line.length ? ` + ${this.line.length}` : "";
    this.place.textContent = `${at}${beyond} / ${this.told.step}`;
    for (const [number, item] of [...this.history.children].entries()) {
      const button = item.firstElementChild;
      if (number + 1 === at) button?.setAttribute("aria-current", "step");
      else button?.removeAttribute("aria-current");
    }
  }

  drawActions() {
    const told = this.told;
    const isOn = told.outcome === "playing";
    const plays = this.mine.length > 0;
    set(this.actions,
      plays && !told.is_secret && h("button", { onclick: () => this.undo() }, "Undo"),
      plays && isOn && h("button", { onclick: () => this.hint() }, "Hint"),
      h("button", { onclick: () => this.flip() }, "Flip"),
      !told.is_secret && h("button", { onclick: () => this.fork() }, "Fork"),
      h("button", { onclick: () => this.share() }, "Share"),
      (!told.hides || !isOn) && h("a", { class: "button", href: `/api/match/${this.id}/record`, download: `${told.game}-${this.id}.json` }, "Record"),
      h("a", { class: "button", href: `/known?match=${this.id}`, "data-link": true }, "What is known"),
      h("button", { onclick: () => this.rematch() }, "New match"),
      plays && isOn && h("button", { onclick: () => this.resign() }, "Resign"),
      h("button", { class: "plain", "aria-label": "Keys", onclick: () => this.help.showModal() }, "?"));
  }

  // ---- what people do ----

  /** @param {string} move */
  async play(move) {
    const told = this.told;
    if (this.at !== null || this.line.length) return this.tryOut(move);
    const role = /** @type {string} */ (this.role);
    const started = performance.now();
    this.moved = started;
    try {
      await act(this.id, "move", { role, move, step: told.step });
      if (this.told === told) {
        told.chosen = [...told.chosen, role];
        this.showLatest();
        this.drawStatus();
      }
    } catch (error) {
      this.complain(error);
      this.showLatest();
    }
  }

  /** A move at a state that is only looked at begins a variation. @param {string} move */
  async tryOut(move) {
    const role = /** @type {string} */ (this.role);
    this.line = [...this.line, { [role]: move }];
    await this.look();
  }

  async undo() {
    await this.attempt(() => act(this.id, "undo"));
    this.at = null;
  }

  async hint() {
    const role = this.role ?? this.mine[0];
    await this.attempt(async () => {
      const { move } = await act(this.id, "hint", { role });
      const way = this.chooser.ways.find((each) => each.move === move);
      if (way) this.board.overlayMoves([{ path: way.path, text: "✓", note: "hint", weight: 1, isBest: true, proved: false }]);
      toast(`The engine would play ${move}.`);
    });
  }

  flip() {
    this.board.flip();
    this.board.show(this.board.scene, this.view?.marks ?? []);
    this.chooser.draw();
    this.live.draw();
  }

  async fork() {
    await this.attempt(async () => {
      const made = await act(this.id, "fork", { step: this.at ?? this.told.step, ...(this.mine.length ? {} : { seats: "all" }) });
      keep(made.id, made.keys);
      window.dispatchEvent(new CustomEvent("go", { detail: `/m/${made.id}` }));
    });
  }

  async rematch() {
    await this.attempt(async () => {
      const record = await fetch(`/api/match/${this.id}/record`).then((response) => response.json());
      const seats = Object.fromEntries(Object.entries(this.told.seats).filter(([, seat]) => /** @type {any} */ (seat).kind !== "chance"));
      const told = record.rules ? { rules: record.rules.join("\n"), name: record.game } : { game: this.told.game };
      const id = await begin({ ...told, seats: this.mine.length ? seats : "first", play_clock: this.told.play_clock });
      window.dispatchEvent(new CustomEvent("go", { detail: `/m/${id}` }));
    });
  }

  async resign() {
    const role = this.role ?? this.mine[0];
    if (window.confirm(`Resign as ${role}?`)) await this.attempt(() => act(this.id, "resign", { role }));
  }

  async share() {
    const address = `${location.origin}/m/${this.id}`;
    try {
      await navigator.clipboard.writeText(address);
      toast("The address for watching is in the clipboard.");
    } catch {
      window.prompt("The address for watching:", address);
    }
  }

  /** The address by which somebody else takes a seat. @param {string} role */
  async invite(role) {
    const keys = keysOf(this.id);
    const address = `${location.origin}/m/${this.id}#role=${encodeURIComponent(role)}&seat=${keys[role]}`;
    try {
      await navigator.clipboard.writeText(address);
      toast(`The address for playing ${role} is in the clipboard.`);
    } catch {
      window.prompt(`The address for playing ${role}:`, address);
    }
    // Whoever gives a seat away no longer sits there, and sees nothing of what is known there.
    delete keys[role];
    keep(this.id, keys);
    this.connect();
  }

  // ---- stepping ----

  /** @param {number} by */
  step(by) {
    if (this.line.length && by < 0) {
      this.line = this.line.slice(0, -1);
      this.look();
      return;
    }
    this.go(Math.max(0, Math.min(this.told.step, (this.at ?? this.told.step) + by)));
  }

  /** @param {number | null} step */
  go(step) {
    if (!this.told) return;
    this.line = [];
    this.at = step === this.told.step ? null : step;
    if (this.at === null) {
      this.showLatest();
      this.live.follow();
    } else this.look();
    this.drawStatus();
  }

  /** Fetch and show the state that is looked at. */
  async look() {
    this.drawPlace();
    const at = this.at ?? this.told.step, line = this.line;
    await this.attempt(async () => {
      const { views } = await act(this.id, "look", { step: at, line, role: this.role ?? this.mine[0] ?? null });
      if (at !== (this.at ?? this.told.step) || line !== this.line) return;
      const view = views.at(-1);
      this.show(view);
      const roles = Object.keys(view.moves || {});
      this.role = this.role && roles.includes(this.role) ? this.role : roles[0] ?? null;
      // A match can be tried out from any state that everybody may see.
      this.chooser.show(this.role && !this.told.is_secret && roles.length === 1 ? view.moves[this.role] : null);
      this.drawPlace();
      this.live.follow();
    });
  }

  /** @param {() => Promise<any>} what */
  async attempt(what) {
    try {
      await what();
    } catch (error) {
      this.complain(error);
    }
  }

  /** @param {unknown} error */
  complain(error) {
    toast(error instanceof Refused ? error.message : String(error));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest("textarea, select, dialog, input:not([type=range])")) return;
    const onRange = target.matches("input[type=range]");
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1), ArrowUp: () => this.go(0), ArrowDown: () => this.go(null),
      Home: () => this.go(0), End: () => this.go(null), f: () => this.flip(), l: () => this.live.toggle(), a: () => this.live.toggleArrows(),
      u: () => this.undo(), h: () => this.hint(), "?": () => this.help.showModal(), Escape: () => this.chooser.clear(),
      " ": () => this.live.playBest(),
    };
    if (!(event.key in keys) || (onRange && event.key !== "Escape")) return;
    if (event.key === " " && (target.closest("button, a, summary") || !this.live.isOn)) return;
    event.preventDefault();
    keys[event.key]();
  }
}

/** A joint move in words: what was chosen, without what everybody knows. @param {Record<string, string>} joint @param {any} told */
export function describeJoint(joint, told) {
  const made = Object.entries(joint).filter(([, move]) => move.startsWith("("));
  const shown = made.length ? made : Object.entries(joint);
  return told.roles.length === 1 ? shown.map(([, move]) => move).join(" ") : shown.map(([role, move]) => `${role} ${move}`).join(", ");
}

/** How a match ended, in words. @param {Record<string, number | null>} goals */
function ended(goals) {
  const told = Object.entries(goals);
  const listed = told.map(([role, goal]) => `${role} ${goal ?? "–"}`).join(", ");
  if (told.length === 1) return told[0][1] === 100 ? "Solved: 100 of 100" : `The end: ${told[0][1] ?? "–"} of 100`;
  const [[best, most], [, next]] = told.toSorted((one, other) => (other[1] ?? -1) - (one[1] ?? -1));
  if (most === null) return `The end: ${listed}`;
  if (most !== next) return told.length === 2 ? `${best} wins, ${most} to ${next ?? "–"}` : `${best} wins: ${listed}`;
  return told.every(([, goal]) => goal === most) ? `A draw: ${most} each` : `The end: ${listed}`;
}
