// Who sits at a seat: a person, an engine with a level or seconds, a named player, or one elsewhere.

import { act, keep, keysOf } from "./api.js";
import { h, set } from "./dom.js";

/** @param {any} page the match @param {string} role @param {any} seat @param {Element} near */
export function seatMenu(page, role, seat, near) {
  document.querySelector("dialog.seatmenu")?.remove();
  const kind = h("select", { "aria-label": "Who plays", onchange: () => options() },
    [["person", "a person"], ["level", "engine with a level"], ["seconds", "engine with seconds"], ["player", "player by name"], ["http", "HTTP player"]]
      .map(([value, words]) => h("option", { value, selected: seat.kind === value }, words)));
  const more = h("span", {});
  /** @type {any} */ let input = null;
  function options() {
    const make = /** @type {Record<string, () => any>} */ ({
      person: () => null,
      level: () => h("input", { type: "number", min: 1, max: 9, value: seat.level ?? 4, "aria-label": "Level from 1 to 9" }),
      seconds: () => h("input", { type: "number", min: 0.1, max: 60, step: 0.1, value: seat.seconds ?? 1, "aria-label": "Seconds" }),
      player: () => h("input", { type: "text", value: seat.player ?? "mcts:seconds=1", "aria-label": "Name with options" }),
      http: () => h("input", { type: "url", value: seat.address ?? "http://127.0.0.1:9147", "aria-label": "Address" }),
    });
    input = make[kind.value]();
    set(more, input);
  }
  options();
  const menu = h("dialog", { class: "seatmenu", "aria-label": `Seat of ${role}` }, h("h2", {}, role), h("div", { class: "row" }, kind, more),
    h("div", { class: "row" },
      h("button", { class: "primary", onclick: async () => {
        const value = input?.value;
        const told = { person: {}, level: { level: Number(value) }, seconds: { seconds: Number(value) }, player: { player: value }, http: { address: value } }[/** @type {"person"} */ (kind.value)];
        menu.close();
        await page.attempt(async () => {
          const made = await act(page.id, "seat", { role, seat: { kind: kind.value, ...told } });
          keep(page.id, { ...keysOf(page.id), ...made.keys });
          page.connect();
        });
      } }, "Sit"),
      seat.kind === "person" && seat.is_mine && h("button", { onclick: () => { menu.close(); page.invite(role); } }, "Invite somebody"),
      h("button", { onclick: () => menu.close() }, "Cancel")));
  menu.addEventListener("close", () => { menu.remove(); /** @type {any} */ (near).focus?.(); });
  document.body.append(menu);
  menu.showModal();
}
