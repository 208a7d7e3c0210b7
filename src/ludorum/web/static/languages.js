// The languages that rules are written in, as far as colours go: GDL as lists, GDL and markets as clauses, and Toss.

const GDL = new Set(["role", "init", "true", "does", "next", "legal", "goal", "terminal", "distinct", "or", "not", "and", "base", "input", "sees", "random", "<="]);
const MARKET = new Set([...GDL, "trader", "message", "receive", "send", "prices", "maker", ":-", "¬", "∧", "∨"]);
const TOSS = new Set(["PLAYERS", "REL", "RULE", "LOC", "PLAYER", "PAYOFF", "MOVES", "MODEL", "START", "DATA", "EVOLVE", "ex", "all", "and", "or", "not", "tc", "emb", "pre", "post", "inv", "update", "dynamics"]);
// Two signs that open a comment in lists; in clauses and in Toss other ones do.
const LISTS = /;[^\n]*|\/\/[^\n]*|\(|\)|\?[^\s()]+|[^\s();?]+|\s+/g;
const CLAUSES = /[%;][^\n]*|\/\/[^\n]*|\(|\)|[\p{L}_][\p{L}\p{N}_]*|\d+|\s+|<=|:-|./gu;
const TEXT = /\/\/[^\n]*|"[^"]*"?|\(|\)|[\p{L}_][\p{L}\p{N}_]*|\d+|\s+|./gu;

/** @typedef {"lists" | "clauses" | "toss"} Language */

/** What a text seems to be written in. @param {string} text @returns {Language} */
export function languageOf(text) {
  const start = text.replace(/^(?:\s+|\/\/[^\n]*|[;%][^\n]*)+/, "");
  if (/^(PLAYERS|REL|RULE|LOC|MODEL|START|DATA)\b/.test(start)) return "toss";
  return !start || start.startsWith("(") ? "lists" : "clauses";
}

/** @param {Language} language @returns {RegExp} what cuts a text into words, blanks included */
export const words = (language) => ({ lists: LISTS, clauses: CLAUSES, toss: TEXT })[language];

/** The kind of a word, as a class of colours; empty for what is plain. @param {string} word @param {Language} language */
export function kindOf(word, language) {
  if (word === "(" || word === ")") return "paren";
  if (word.startsWith("//") || (language !== "toss" && word[0] === ";") || (language === "clauses" && word[0] === "%")) return "comment";
  if (/^\d+$/.test(word)) return "number";
  if (language === "toss") return TOSS.has(word) ? "keyword" : word[0] === '"' ? "number" : "";
  if ((language === "lists" ? GDL : MARKET).has(word.toLowerCase())) return "keyword";
  return (language === "lists" ? word[0] === "?" : /^[\p{Lu}_]/u.test(word)) ? "variable" : "";
}

/** Lines as deep as their parentheses; comments and the order of everything stay. @param {string} text */
export function formatted(text) {
  if (languageOf(text) !== "lists") return text.replace(/[ \t]+$/gm, "").replace(/\n{3,}/g, "\n\n");
  let depth = 0;
  const lines = text.split("\n").map((raw) => {
    const line = raw.trim();
    const code = line.replace(/;.*/, "");
    const closing = /^\)+/.exec(code)?.[0].length ?? 0;
    const indent = Math.max(0, depth - closing);
    depth = Math.max(0, depth + (code.match(/\(/g)?.length ?? 0) - (code.match(/\)/g)?.length ?? 0));
    return line ? "  ".repeat(indent) + line : "";
  });
  return lines.join("\n").replace(/\n{3,}/g, "\n\n");
}
