import { EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, keymap, lineNumbers } from "@codemirror/view";
import { search, searchKeymap } from "@codemirror/search";
import type { Workbench } from "../model/workbench.ts";
import { colours, shadingLanguage } from "./language.ts";
import { highlight, type LineLink, linking, NO_LINK } from "./link.ts";

/** A text that can be read, searched and copied, and whose lines are linked to instructions. */
export class Reader {
  readonly view: EditorView;
  #link: LineLink = NO_LINK;

  constructor(bench: Workbench, pane: string, label: string) {
    const extensions: Extension[] = [
      EditorState.readOnly.of(true),
      EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
      lineNumbers(),
      drawSelection(),
      search({ top: true }),
      keymap.of(searchKeymap),
      shadingLanguage,
      colours,
      linking((line, reveal) => {
        const instruction = line === null ? undefined : this.#link.instruction.get(line);
        bench.point(instruction === undefined ? null : { instruction, from: pane, reveal });
      }),
    ];
    this.view = new EditorView({ extensions });
    bench.store.on(["spot"], ({ spot }) => {
      const lines = spot === null ? [] : (this.#link.lines.get(spot.instruction) ?? []);
      highlight(this.view, lines, spot !== null && spot.reveal && spot.from !== pane);
    });
  }

  /** Replaces the text and its links. */
  show(text: string, link: LineLink): void {
    this.#link = link;
    const { doc } = this.view.state;
    if (doc.length !== text.length || doc.toString() !== text) {
      this.view.dispatch({ changes: { from: 0, to: doc.length, insert: text } });
    }
  }
}
