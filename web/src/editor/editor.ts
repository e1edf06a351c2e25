import { closeBrackets } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { lintGutter, lintKeymap } from "@codemirror/lint";
import { search, searchKeymap } from "@codemirror/search";
import { EditorState, Text } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import type { Workbench } from "../model/workbench.ts";
import { gutters } from "./gutters.ts";
import { help, wordAt } from "./help.ts";
import { assemblyLanguage, colours } from "./language.ts";
import { linking } from "./link.ts";

/** Longer texts, in characters, become documents piece by piece. */
const PIECE = 1 << 18;

/** What the editor reports. */
interface EditorEvents {
  typed(text: string): void;
  pointed(line: number | null, reveal: boolean): void;
}

/** The editor of the listing. */
export function createEditor(bench: Workbench, events: EditorEvents): EditorView {
  return new EditorView({ state: editorState(bench, events, Text.empty) });
}

/** The state of an editor with another text, without a history. */
export function editorState(bench: Workbench, events: EditorEvents, doc: Text): EditorState {
  return EditorState.create({
    doc,
    extensions: [
      EditorView.contentAttributes.of({ "aria-label": "Listing", tabindex: "0", spellcheck: "false" }),
      lineNumbers(),
      gutters,
      lintGutter(),
      history(),
      drawSelection(),
      highlightActiveLine(),
      closeBrackets(),
      search({ top: true }),
      assemblyLanguage,
      colours,
      help(bench),
      linking(events.pointed),
      keymap.of([
        { key: "F1", run: (view) => explainWord(bench, view) },
        ...defaultKeymap, ...historyKeymap, ...searchKeymap, ...lintKeymap,
      ]),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) events.typed(update.state.doc.toString());
      }),
    ],
  });
}

function explainWord(bench: Workbench, view: EditorView): boolean {
  const word = wordAt(view, view.state.selection.main.head);
  if (word !== undefined) bench.explain(word.text);
  return word !== undefined;
}

/** Makes a document of a long text without a pause of more than a few milliseconds. */
export async function textInPieces(text: string): Promise<Text> {
  if (text.length <= PIECE) return Text.of(text.split("\n"));
  let result = Text.empty;
  for (let start = 0; start < text.length; ) {
    let end = text.indexOf("\n", start + PIECE);
    if (end < 0) end = text.length;
    // The first line of a piece joins the last one of the piece before, so a piece begins with the line break.
    result = result.append(Text.of(text.slice(start, end).split("\n")));
    start = end;
    await new Promise((resolve) => setTimeout(resolve));
  }
  return result;
}
