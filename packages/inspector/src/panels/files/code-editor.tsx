/** A text editor: CodeMirror with the colours of the page. The grammar of the language is loaded on demand. */
import { LanguageDescription, syntaxHighlighting } from "@codemirror/language";
import { languages } from "@codemirror/language-data";
import { Annotation, Compartment, EditorState } from "@codemirror/state";
import { basicSetup, EditorView } from "codemirror";
import { useEffect, useRef } from "react";
import { editorColours, editorTheme } from "./editor-theme.ts";
import styles from "./files.module.css";

interface Props {
  name: string;
  text: string;
  readOnly: boolean;
  /** Line to show, from 1. */
  line: number | null;
  /** Called for typed changes, not when `text` changes. */
  onEdit(text: string): void;
}

const fromOutside = Annotation.define<true>();

export default function CodeEditor({ name, text, readOnly, line, onEdit }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView>(null);
  const latest = useRef({ text, onEdit });
  latest.current = { text, onEdit };

  useEffect(() => {
    const host = place.current;
    if (!host) return;
    const { text } = latest.current;
    const language = new Compartment();
    const view = new EditorView({
      parent: host,
      state: EditorState.create({
        doc: text,
        extensions: [
          basicSetup,
          EditorState.readOnly.of(readOnly),
          EditorState.lineSeparator.of(text.includes("\r\n") ? "\r\n" : "\n"),
          EditorView.contentAttributes.of({ "aria-label": name }),
          EditorView.updateListener.of(({ docChanged, transactions, state }) => {
            if (!docChanged || transactions.some((transaction) => transaction.annotation(fromOutside))) return;
            latest.current.onEdit(state.sliceDoc());
          }),
          syntaxHighlighting(editorColours),
          editorTheme,
          language.of([]),
        ],
      }),
    });
    editor.current = view;
    void grammarFor(name).then((grammar) => grammar && view.dispatch({ effects: language.reconfigure(grammar) }));
    return () => view.destroy();
  }, [name, readOnly]);

  // Text that is already shown (typed here and saved) is not replaced, so that the cursor stays.
  useEffect(() => {
    const view = editor.current;
    if (!view || view.state.sliceDoc() === text) return;
    const changes = { from: 0, to: view.state.doc.length, insert: text };
    view.dispatch({ changes, annotations: fromOutside.of(true) });
  }, [text]);

  useEffect(() => {
    if (line !== null && editor.current) goTo(editor.current, line);
  }, [line]);

  return <div ref={place} className={styles.editor} />;
}

function goTo(view: EditorView, line: number): void {
  const { from } = view.state.doc.line(Math.min(line, view.state.doc.lines));
  view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
}

async function grammarFor(name: string) {
  return LanguageDescription.matchFilename(languages, name)?.load();
}
