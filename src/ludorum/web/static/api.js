// Speaking to the server, and the keys of the seats that this browser may sit at.

/** An answer that is none. */
export class Refused extends Error {
  /** @param {string} code @param {string} message @param {Array<any>} diagnostics */
  constructor(code, message, diagnostics) {
    super(message);
    this.code = code;
    this.diagnostics = diagnostics;
  }
}

/** @param {string} path @param {RequestInit} [options] @returns {Promise<any>} */
async function ask(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Refused("gone", "the server cannot be reached", []);
  }
  const told = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refused(told.error || "error", told.message || `error ${response.status}`, told.diagnostics || []);
  return told;
}

/** @param {string} path @returns {Promise<any>} */
export const get = (path) => ask(path);

/** @param {string} path @param {object} [body] @param {Record<string, string>} [headers] @returns {Promise<any>} */
export const post = (path, body = {}, headers = {}) =>
  ask(path, { method: "POST", headers: { "Content-Type": "application/json", ...headers }, body: JSON.stringify(body) });

/** By role the keys of a match's seats. @param {string} match @returns {Record<string, string>} */
export function keysOf(match) {
  try {
    return JSON.parse(localStorage.getItem(`ludorum:${match}`) || "{}");
  } catch {
    return {};
  }
}

/** @param {string} match @param {Record<string, string>} keys */
export function keep(match, keys) {
  try {
    localStorage.setItem(`ludorum:${match}`, JSON.stringify(keys));
  } catch {
    // Private windows may have no room; then a reload only watches.
  }
}

/** Do something in a match. @param {string} match @param {string} verb @param {object} [body] */
export const act = (match, verb, body = {}) =>
  post(`/api/match/${match}/${verb}`, body, { "X-Ludorum-Keys": Object.values(keysOf(match)).join(",") });

/** Begin a match, and keep its keys. @param {object} told @returns {Promise<string>} its name */
export async function begin(told) {
  const made = await post("/api/matches", told);
  keep(made.id, made.keys);
  return made.id;
}
