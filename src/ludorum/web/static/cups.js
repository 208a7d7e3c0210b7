// Tournaments: ratings, who did how well against whom, and every match to click through; also while they are played.

import { get, post } from "./api.js";
import { h, set, toast } from "./dom.js";

/** @param {Element} root */
export function cupsPage(root) {
  const list = h("ul", { class: "rows" });
  set(root, h("h1", {}, "Tournaments"), list);
  get("/api/cups").then((told) => set(list, told.cups.map((/** @type {any} */ cup) => h("li", {},
    h("a", { href: `/cup/${cup.place}?name=${encodeURIComponent(cup.name)}`, "data-link": true }, cup.name),
    h("span", { class: "quiet" }, ` ${cup.matches} matches${cup.over < cup.matches ? `, ${cup.matches - cup.over} still on` : ""}, in ${cup.file}`))),
  !told.cups.length && h("li", { class: "quiet" }, "None. Start the page with --archive FILE, the archive of a tournament or a folder of records.")),
  (error) => toast(error.message));
}

/** @param {Element} root @param {string} place */
export function cupPage(root, place) {
  const name = new URLSearchParams(location.search).get("name") || "";
  const body = h("div", {});
  set(root, h("h1", {}, name), body);
  let last = "";
  async function refresh() {
    try {
      const told = await get(`/api/cup/${place}?name=${encodeURIComponent(name)}`);
      const text = JSON.stringify(told);
      if (text !== last) draw(told);
      last = text;
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
  }

  /** @param {any} told */
  function draw(told) {
    const met = new Map(told.met.map((/** @type {any} */ each) => [`${each.one}\n${each.other}`, each]));
    const players = told.ratings.length ? told.ratings.map((/** @type {any} */ each) => each.player) : told.players;
    set(body,
      h("section", { class: "panel" }, h("h2", {}, "Ratings"), h("table", {}, h("thead", {}, h("tr", {}, ["player", "rating", "95 % interval"].map((word) => h("th", { scope: "col" }, word)))),
        h("tbody", {}, told.ratings.map((/** @type {any} */ each) => h("tr", {}, h("th", { scope: "row" }, each.player), h("td", {}, signed(each.elo)), h("td", {}, `${signed(each.low)} to ${signed(each.high)}`)))))),
      h("section", { class: "panel scroll" }, h("h2", {}, "Who against whom"), h("table", {}, h("thead", {}, h("tr", {}, h("td", {}), players.map((/** @type {string} */ who) => h("th", { scope: "col" }, who)))),
        h("tbody", {}, players.map((/** @type {string} */ one) => h("tr", {}, h("th", { scope: "row" }, one), players.map((/** @type {string} */ other) => h("td", {}, /** @type {any} */ (met.get(`${one}\n${other}`))?.text ?? ""))))))),
      h("section", { class: "panel" }, h("h2", {}, `${told.matches.length} matches`), h("ul", { class: "rows" }, told.matches.toReversed().map((/** @type {any} */ match) => h("li", {},
        h("button", { class: "plain", onclick: () => open(match.id) }, `${match.game}: ${Object.values(match.players).join(" – ")}`),
        h("span", { class: "quiet" }, ` ${match.steps} steps, ${match.outcome === "playing" ? "still on" : Object.values(match.goals).map((goal) => goal ?? "–").join(" : ")}`))))));
  }

  /** @param {string} id */
  async function open(id) {
    try {
      const made = await post(`/api/cup/${place}/match`, { id });
      window.dispatchEvent(new CustomEvent("go", { detail: `/m/${made.id}` }));
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
  }

  refresh();
  const again = window.setInterval(refresh, 2000);
  return () => clearInterval(again);
}

/** @param {number} value */
const signed = (value) => (value > 0 ? `+${value}` : String(value));
