// CodeMirror in the place of our editor, where it was fetched. It lives in a shadow tree: there its styles need no
// permission that the page does not give.

import { h } from "./dom.js";
import { formatted, kindOf, languageOf, words } from "./languages.js";

const STYLES = {
  "&": { height: "100%", fontSize: "14px", color: "inherit" },
  ".cm-scroller": { fontFamily: "ui-monospace, monospace", lineHeight: "20px" },
  ".cm-gutters": { background: "transparent", color: "inherit", border: "none" },
  ".cm-cursor": { borderLeftColor: "currentColor" },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy #c5221f" },
  ".cm-lintRange-warning": { backgroundImage: "none", textDecoration: "underline wavy #b06000" },
};

const TAGS = /** @type {Record<string, string>} */ ({ paren: "bracket", variable: "variableName" });

/** @param {() => import("./languages.js").Language} language @returns {(stream: any) => string | null} the kind of the next word */
function token(language) {
  return (stream) => {
    if (stream.eatSpace()) return null;
    const pattern = words(language());
    const word = stream.match(new RegExp(`^(?:${pattern.source})`, pattern.flags.replace("g", "")));
    if (!word) {
      stream.next();
      return null;
    }
    const kind = kindOf(word[0], language());
    return TAGS[kind] ?? (kind || null);
  };
}

/** The same face as our own editor's. @param {(text: string) => void} onInput @param {string} text */
export async function codeMirror(onInput, text) {
  const names = ["codemirror-state", "codemirror-view", "codemirror-language", "codemirror-commands", "codemirror-lint", "lezer-highlight"];
  const [state, views, language, commands, lint, highlight] = await Promise.all(names.map((name) => import(`/assets/${name}.js`)));
  const tags = highlight.tags;
  const colours = language.HighlightStyle.define([
    { tag: tags.comment, color: "#6a737d", fontStyle: "italic" }, { tag: tags.keyword, color: "#8250df", fontWeight: "600" },
    { tag: tags.variableName, color: "#0969da" }, { tag: tags.number, color: "#9a5b00" }]);
  let spoken = languageOf(text);
  const element = h("div", { class: "editor shadowed" });
  const root = element.attachShadow({ mode: "open" });
  const view = new views.EditorView({
    doc: text, parent: root, root,
    extensions: [
      views.lineNumbers(), commands.history(), language.bracketMatching(), lint.lintGutter(),
      views.keymap.of([...commands.defaultKeymap, ...commands.historyKeymap]),
      language.StreamLanguage.define({ token: token(() => spoken) }), language.syntaxHighlighting(colours), views.EditorView.theme(STYLES),
      views.EditorView.contentAttributes.of({ "aria-label": "Rules" }),
      views.EditorView.updateListener.of((/** @type {any} */ update) => { if (update.docChanged) onInput(update.state.doc.toString()); }),
      state.EditorState.tabSize.of(2)],
  });

  /** @param {number} line @param {number} column */
  const at = (line, column) => {
    const found = view.state.doc.line(Math.max(1, Math.min(line, view.state.doc.lines)));
    return Math.min(found.from + column - 1, found.to);
  };
  return {
    element,
    get text() {
      return view.state.doc.toString();
    },
    set text(text) {
      spoken = languageOf(text);
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    },
    /** @param {Array<any>} diagnostics */
    mark(diagnostics) {
      view.dispatch(lint.setDiagnostics(view.state, diagnostics.map((each) => {
        const from = at(each.line, each.column);
        const word = /^([()]|[^\s()]+)/.exec(view.state.doc.sliceString(from, from + 80))?.[0].length ?? 0;
        return { from, to: from + word, severity: each.level, message: each.message };
      })));
    },
    /** @param {number} line @param {number} column */
    goTo(line, column) {
      view.focus();
      view.dispatch({ selection: { anchor: at(line, column) }, scrollIntoView: true });
    },
    format() {
      this.text = formatted(this.text);
    },
  };
}
