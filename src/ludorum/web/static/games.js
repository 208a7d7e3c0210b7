// Choose a game: every game of the library, or rules pasted in.

import { begin, get, keysOf, Refused } from "./api.js";
import { h, set, toast } from "./dom.js";

// What a visitor finds first; all others follow by their names.
const FAMILIAR = ["tictactoe", "connectfour", "chess", "draughts", "othello", "ninemensmorris", "hex", "sudoku"];

/** @param {Element} root */
export function gamesPage(root) {
  const search = h("input", { type: "search", placeholder: "find a game", "aria-label": "Find a game", oninput: () => draw() });
  const who = h("select", { "aria-label": "Who plays" },
    [["first", "I move first"], ["second", "I move second"], ["all", "people play all roles"], ["none", "watch engines"]].map(([value, words]) => h("option", { value }, words)));
  const clock = h("input", { type: "number", min: 1, max: 86400, placeholder: "none", "aria-label": "Seconds a move, empty for no clock" });
  const list = h("ul", { class: "games" });
  const familiar = h("section", { hidden: true, "aria-label": "Games that many people know" }, h("h2", {}, "You may know these"), h("ul", { class: "games" }));
  const going = h("section", { hidden: true, "aria-label": "Matches that are going on" });
  const heading = h("h2", { hidden: true }, "All games");
  const note = h("p", { class: "quiet", role: "status" });
  set(root, h("div", { class: "choose" },
    h("h1", {}, "Play any game"),
    h("p", { class: "lead" }, "The rules are all there is: the board is drawn from them, the clicks are found in them, and the engine has never seen the game before."),
    h("div", { class: "row filters" }, search, h("label", {}, "Seats ", who), h("label", {}, "Clock ", clock, " s a move"),
      h("a", { class: "button", href: "/edit", "data-link": true }, "Paste rules")), note, going, familiar, heading, list));
  /** @type {Array<any>} */
  let games = [];

  /** @param {any} game */
  async function start(game) {
    note.textContent = `Loading ${game.title} …`;
    try {
      const id = await begin({ game: game.name, seats: who.value, play_clock: clock.value ? Number(clock.value) : null });
      window.dispatchEvent(new CustomEvent("go", { detail: `/m/${id}` }));
    } catch (error) {
      note.textContent = "";
      toast(error instanceof Refused ? error.message : String(error));
    }
  }

  /** @param {any} game */
  const card = (game) => h("li", {}, h("button", { class: "game", "data-game": game.name, onclick: () => start(game) },
    h("b", {}, game.title), h("span", { class: "kind" }, `${game.kind}${game.players > 2 ? `, ${game.players} roles` : ""}`),
    h("span", { class: "quiet" }, game.description)),
  h("a", { class: "small", href: `/edit?game=${encodeURIComponent(game.name)}`, "data-link": true, "aria-label": `Rules of ${game.title}` }, "rules"),
  h("a", { class: "small", href: `/known?game=${encodeURIComponent(game.name)}`, "data-link": true, "aria-label": `What is known of ${game.title}` }, "what is known"));

  function draw() {
    const wanted = search.value.trim().toLowerCase();
    const found = games.filter((game) => `${game.name} ${game.title} ${game.description} ${game.kind}`.toLowerCase().includes(wanted));
    const first = wanted ? [] : FAMILIAR.map((name) => games.find((game) => game.name === name)).filter(Boolean);
    set(/** @type {any} */ (familiar.lastElementChild), first.map(card));
    familiar.hidden = heading.hidden = !first.length;
    going.hidden = Boolean(wanted) || !going.childElementCount;
    set(list, found.filter((game) => !first.includes(game)).map(card));
    if (!found.length) set(list, h("li", { class: "quiet" }, "No game of the library is called that."));
  }

  get("/api/matches").then((told) => {
    const mine = told.matches.filter((/** @type {any} */ match) => match.outcome === "playing" && Object.keys(keysOf(match.id)).length).slice(0, 4);
    if (!mine.length) return;
    set(going, h("h2", {}, "Go on playing"), h("p", { class: "row" }, mine.map((/** @type {any} */ match) =>
      h("a", { class: "button", href: `/m/${match.id}`, "data-link": true }, match.title, h("span", { class: "quiet" }, `  ${match.steps} steps`)))));
    draw();
  }, () => {});
  get("/api/games").then((told) => { games = told.games; draw(); }, (error) => toast(error.message));
}
