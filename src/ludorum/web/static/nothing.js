// What is shown where there is nothing to show: why, and where to go on.

import { h, set } from "./dom.js";

/** @param {Element} root @param {string} title @param {string} why */
export function notFound(root, title, why) {
  document.title = `${title} – Ludorum`;
  set(root, h("section", { class: "nothing" }, h("h1", {}, title), h("p", { class: "quiet" }, why),
    h("p", { class: "row" }, h("a", { class: "button", href: "/", "data-link": true }, "Choose a game"),
      h("a", { class: "button", href: "/matches", "data-link": true }, "Matches"))));
}
