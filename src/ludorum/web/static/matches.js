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
  get("/api/matches").then((told) => set(list, told.matches.map((/** @type {any} */ match) => h("li", {},
    h("a", { href: `/m/${match.id}`, "data-link": true }, match.game),
    h("span", { class: "quiet" }, ` ${Object.entries(match.players).map(([role, who]) => `${role}: ${who}`).join(", ")}`),
    h("span", {}, ` ${match.steps} steps, ${match.outcome === "playing" ? "still on" : Object.values(match.goals).map((goal) => goal ?? "–").join(" : ")}`),
    h("time", { class: "quiet", datetime: match.started }, ` ${new Date(match.started).toLocaleString()}`))),
  !told.matches.length && h("li", { class: "quiet" }, "None that are listed here.")), (error) => toast(error.message));
}
