// Elements from plain values. Text is always set as text, never as markup: rules come from strangers.

const SVG = "http://www.w3.org/2000/svg";

/**
 * An HTML element: `h("button", {onclick: f, class: "x"}, "text", child)`.
 * @param {string} name
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string | number | null | undefined | false | Array<any>)} children
 * @returns {any}
 */
export function h(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** An SVG element. @param {string} name @param {Record<string, any>} [attributes] @param {...any} children @returns {any} */
export function s(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

/** @param {Element} element @param {Record<string, any>} attributes @param {Array<any>} children */
function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "value") /** @type {any} */ (element).value = value;
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  add(element, children);
  return element;
}

/** @param {Element} element @param {Array<any>} children */
function add(element, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) add(element, child);
    else element.append(child instanceof Node ? child : String(child));
  }
}

/** What an element holds from now on. @param {Element} element @param {...any} children */
export function set(element, ...children) {
  element.replaceChildren();
  add(element, children);
}

/** Tell those who cannot see the page. @param {string} words */
export function say(words) {
  const place = document.getElementById("says");
  if (place) place.textContent = words;
}

let fading = 0;
/** A short word at the edge of the page. @param {string} words */
export function toast(words) {
  const place = document.getElementById("toast");
  if (!place) return;
  place.textContent = words;
  place.classList.add("shown");
  clearTimeout(fading);
  fading = window.setTimeout(() => place.classList.remove("shown"), 5000);
}
