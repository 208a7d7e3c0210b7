// The matches of this machine, and records from elsewhere to step through.

import { get, post } from "./api.js";
import { h, set, toast } from "./dom.js";

/** @param {Element} root */
export function matchesPage(root) {
  const list = h("ul", { class: "rows" });
  const game = h("input", { type: "text", placeholder: "game of the library", "aria-label": "Game of a record of the field" });
  const file = h("input", { type: "file", accept: ".json,application/json", "aria-label": "A match record", onchange: async () => {
    try {
      const record = JSON.parse(await file.files[0].text());
      const made = await post("/api/records", { record, game: game.value || null });
      window.dispatchEvent(new CustomEvent("go", { detail: `/m/${made.id}` }));
    } catch (error) {
      toast(error instanceof SyntaxError ? "That is no JSON." : /** @type {Error} */ (error).message);
    }
  } });
  set(root, h("h1", {}, "Matches"),
    h("section", { class: "panel" }, h("h2", {}, "Open a record"), h("p", { class: "quiet" }, "A record of ours holds its rules. For one of GGP-Base or the Tiltyard name the game, too."),
      h("div", { class: "row" }, game, file)), list);
  get("/api/matches").then((told) => set(list, told.matches.map((/** @type {any} */ match) => h("li", { class: "matchrow" },
    h("a", { href: `/m/${match.id}`, "data-link": true }, match.title),
    h("span", { class: "quiet" }, Object.entries(match.players).map(([role, who]) => `${role}: ${who}`).join(", ")),
    h("span", { class: "num" }, match.outcome === "playing" ? h("span", { class: "chip" }, "going on") : Object.values(match.goals).map((goal) => goal ?? "–").join(" : ")),
    h("span", { class: "quiet" }, `${match.steps} ${match.steps === 1 ? "step" : "steps"}`),
    h("time", { class: "quiet", datetime: match.started }, when(match.started)))),
  !told.matches.length && h("li", { class: "quiet" }, "None yet. ", h("a", { href: "/", "data-link": true }, "Choose a game"), " and it will be listed here.")), (error) => toast(error.message));
}

/** A time as people say it: today only the hour. @param {string} told */
function when(told) {
  const time = new Date(told);
  const isToday = time.toDateString() === new Date().toDateString();
  return isToday ? time.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" }) : time.toLocaleDateString([], { dateStyle: "medium" });
}
