// What is known of a game: found out in the background, with its progress, and it can be cancelled.

import { get, post } from "./api.js";
import { h, set, toast } from "./dom.js";

/** @param {Element} root */
export function knownPage(root) {
  const asked = new URLSearchParams(location.search);
  const title = h("h1", {}, "What is known");
  const doing = h("p", { role: "status" }, "…");
  const bar = h("progress", { max: 1, value: 0, "aria-label": "Progress" });
  const cancel = h("button", { onclick: () => stop() }, "Cancel");
  const found = h("div", { class: "found" });
  set(root, title, h("div", { class: "row" }, doing, bar, cancel), found);
  /** @type {string | null} */ let key = null;
  let isOver = false;

  async function stop() {
    if (key) await post(`/api/known/${key}/cancel`).catch(() => {});
  }

  async function watch() {
    try {
      let told = await post("/api/known", asked.get("match") ? { match: asked.get("match") } : { game: asked.get("game") || "tictactoe" });
      key = told.key;
      title.textContent = `What is known of ${told.title}`;
      while (!isOver && !told.error && !told.is_ready) {
        doing.textContent = told.doing === "waiting" ? "Waiting for its turn …" : `Looking into ${told.doing} …`;
        bar.value = Math.min(0.97, told.seconds / told.of);
        await new Promise((resolve) => { setTimeout(resolve, 400); });
        told = await get(`/api/known/${key}`);
      }
      if (isOver) return;
      bar.hidden = cancel.hidden = true;
      doing.textContent = told.error ? `Nothing was found: ${told.error}.` : "";
      if (told.is_ready) {
        set(found, h("ul", { class: "traits" }, told.found.kind.map((/** @type {any} */ trait) => h("li", { class: "chip", title: trait.known_by }, trait.says))),
          h("iframe", { title: title.textContent, src: `/api/known/${key}/page`, sandbox: true }));
      }
    } catch (error) {
      doing.textContent = "";
      toast(/** @type {Error} */ (error).message);
    }
  }

  watch();
  return () => { isOver = true; };
}
