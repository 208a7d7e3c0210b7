// Which page is shown at which address. Every page is a function that fills an element and may return what ends it.

import { set } from "./dom.js";
import { cupPage, cupsPage } from "./cups.js";
import { editPage } from "./edit.js";
import { gamesPage } from "./games.js";
import { knownPage } from "./known.js";
import { matchPage } from "./match.js";
import { matchesPage } from "./matches.js";
import { notFound } from "./nothing.js";

const main = /** @type {Element} */ (document.getElementById("main"));
/** @type {(() => void) | void} */
let end;

/** @type {Array<[RegExp, (root: Element, ...parts: Array<string>) => (() => void) | void]>} */
const PAGES = [
  [/^\/$/, gamesPage], [/^\/m\/([a-z0-9]+)$/, matchPage], [/^\/edit$/, editPage], [/^\/known$/, knownPage],
  [/^\/matches$/, matchesPage], [/^\/cups$/, cupsPage], [/^\/cup\/(\d+)$/, cupPage],
];

function show() {
  end?.();
  end = undefined;
  document.title = "Ludorum";
  set(main);
  for (const [pattern, page] of PAGES) {
    const found = pattern.exec(location.pathname);
    if (found) {
      end = page(main, ...found.slice(1));
      break;
    }
  }
  if (!main.childElementCount) notFound(main, "There is no such page", "Perhaps the address was cut short.");
  for (const link of document.querySelectorAll("nav a")) {
    if (link.getAttribute("href") === location.pathname) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

/** @param {string} address */
function go(address) {
  history.pushState(null, "", address);
  show();
  window.scrollTo(0, 0);
}

window.addEventListener("popstate", show);
window.addEventListener("go", (event) => go(/** @type {CustomEvent} */ (event).detail));
document.addEventListener("click", (event) => {
  const link = /** @type {Element} */ (event.target).closest("a[data-link]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(/** @type {string} */ (link.getAttribute("href")));
});
show();
