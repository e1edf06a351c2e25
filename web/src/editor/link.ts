import { StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";

/** Which instruction each line belongs to, and the lines of each instruction. */
export interface LineLink {
  readonly instruction: ReadonlyMap<number, number>;
  readonly lines: ReadonlyMap<number, readonly number[]>;
}

export const NO_LINK: LineLink = { instruction: new Map(), lines: new Map() };

/** The link of lines and instructions; the pairs are lines, from 0, and instructions. */
export function lineLink(pairs: Iterable<readonly [number, number]>): LineLink {
  const instruction = new Map<number, number>();
  const lines = new Map<number, number[]>();
  for (const [line, number] of pairs) {
    instruction.set(line, number);
    const list = lines.get(number);
    if (list === undefined) lines.set(number, [line]);
    else list.push(line);
  }
  return { instruction, lines };
}

const setLines = StateEffect.define<readonly number[]>();

const mark = Decoration.line({ class: "linked" });

/** The lines that are highlighted. */
const highlighted = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(old, transaction) {
    let set = old.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(setLines)) continue;
      const { doc } = transaction.state;
      const lines = [...new Set(effect.value)].filter((line) => line < doc.lines).sort((a, b) => a - b);
      set = Decoration.set(lines.map((line) => mark.range(doc.line(line + 1).from)));
    }
    return set;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Calls `point` when the pointer or the cursor comes to another line; `reveal` is set for the cursor. */
export function linking(point: (line: number | null, reveal: boolean) => void) {
  return [
    highlighted,
    EditorView.domEventHandlers({
      mousemove(event, view) {
        const position = view.posAtCoords({ x: event.clientX, y: event.clientY }, false);
        point(view.state.doc.lineAt(position).number - 1, false);
      },
    }),
    EditorView.updateListener.of((update) => {
      if (!update.selectionSet || !update.transactions.some((transaction) => transaction.isUserEvent("select"))) return;
      point(update.state.doc.lineAt(update.state.selection.main.head).number - 1, true);
    }),
  ];
}

/** Highlights lines, and scrolls to the first of them if `reveal`. */
export function highlight(view: EditorView, lines: readonly number[], reveal: boolean): void {
  const first = lines[0];
  const effects: StateEffect<unknown>[] = [setLines.of(lines)];
  if (reveal && first !== undefined && first < view.state.doc.lines) {
    effects.push(EditorView.scrollIntoView(view.state.doc.line(first + 1).from, { y: "nearest", yMargin: 40 }));
  }
  view.dispatch({ effects });
}
