import { type Extension, StateEffect, StateField } from "@codemirror/state";
import { type EditorView, gutter, GutterMarker } from "@codemirror/view";
import type { Listing } from "../model/state.ts";
import { hex } from "../model/text.ts";

/** What the gutters show of the program. */
interface Margins {
  readonly listing: Listing | null;
  /** The live registers after each instruction. */
  readonly live: readonly string[];
}

const setMargins = StateEffect.define<Margins>();

const EMPTY: Margins = { listing: null, live: [] };

const margins = StateField.define<Margins>({
  create: () => EMPTY,
  update: (old, { effects }) => effects.findLast((effect) => effect.is(setMargins))?.value as Margins | undefined ?? old,
});

/** The most characters of live registers that the gutter shows; the title has all of them. */
const LONGEST_LIVE = 26;

class TextMarker extends GutterMarker {
  readonly text: string;
  readonly title: string;

  constructor(text: string, title: string) {
    super();
    this.text = text;
    this.title = title;
  }

  override eq(other: TextMarker): boolean {
    return other.text === this.text && other.title === this.title;
  }

  override toDOM(): HTMLElement {
    const element = document.createElement("span");
    element.textContent = this.text;
    if (this.title !== "") element.title = this.title;
    return element;
  }
}

function instructionOf(view: EditorView, from: number): { margins: Margins; instruction: number } | undefined {
  const all = view.state.field(margins);
  const instruction = all.listing?.instructions[view.state.doc.lineAt(from).number - 1] ?? -1;
  return instruction < 0 ? undefined : { margins: all, instruction };
}

/** Gutters: the offset of each instruction, and the registers that are live after it. */
export const gutters: Extension = [
  margins,
  gutter({
    class: "offsets",
    lineMarker(view, { from }) {
      const found = instructionOf(view, from);
      const offset = found?.margins.listing?.offsets[found.instruction];
      return offset === undefined ? null : new TextMarker(hex(offset, 4), `byte ${offset}`);
    },
    lineMarkerChange: (update) => update.transactions.some(({ effects }) => effects.some((effect) => effect.is(setMargins))),
    initialSpacer: () => new TextMarker("0000", ""),
  }),
  gutter({
    class: "live",
    side: "after",
    lineMarker(view, { from }) {
      const found = instructionOf(view, from);
      const live = found?.margins.live[found.instruction];
      if (live === undefined || live === "") return null;
      const short = live.length > LONGEST_LIVE ? `${live.slice(0, LONGEST_LIVE - 1)}…` : live;
      return new TextMarker(short, `live after this instruction: ${live}`);
    },
    lineMarkerChange: (update) => update.transactions.some(({ effects }) => effects.some((effect) => effect.is(setMargins))),
  }),
];

/** Gives the gutters a listing and its live registers. */
export function showMargins(view: EditorView, listing: Listing | null, live: readonly string[]): void {
  view.dispatch({ effects: setMargins.of({ listing, live }) });
}

/** The live registers after the instruction at a position; undefined where none is known. */
export function liveAt(view: EditorView, position: number): string | undefined {
  const found = instructionOf(view, position);
  return found?.margins.live[found.instruction];
}
