import type { Text } from "@codemirror/state";
import { createEditor, editorState, textInPieces } from "../editor/editor.ts";
import { showFindings } from "../editor/findings.ts";
import { showMargins } from "../editor/gutters.ts";
import { highlight } from "../editor/link.ts";
import { referTo } from "../engine/engine.ts";
import type { Doc, Listing } from "../model/state.ts";
import type { Workbench } from "../model/workbench.ts";
import { h } from "../ui/dom.ts";
import { later } from "../model/later.ts";
import type { Pane } from "./pane.ts";

/** Listings with more instructions have no live registers in the gutter, because that text has another copy of them. */
const LIVE_LIMIT = 20_000;

/** The listing as an editor: a source as it was written, or the text of a binary program. */
export function listingPane(bench: Workbench): Pane {
  const { store, engine } = bench;
  const element = h("div", { class: "pane listing" });
  /** The document whose text the editor has. */
  let shown: Doc | null = null;
  let shownListing: Listing | null = null;
  /** Whether the text changes by `replace`, which is no edit, or by the user, which needs no `replace`. */
  let isReplacing = false;
  let isTyping = false;

  const events = {
    typed(text: string) {
      if (isReplacing) return;
      isTyping = true;
      bench.edit(text);
      isTyping = false;
      shown = store.state.doc;
    },
    pointed(line: number | null, reveal: boolean) {
      const instruction = line === null ? -1 : (store.state.listing?.instructions[line] ?? -1);
      bench.point(instruction < 0 ? null : { instruction, from: "listing", reveal });
    },
  };
  const view = createEditor(bench, events);
  element.append(view.dom);

  function replace(text: Text): void {
    isReplacing = true;
    view.setState(editorState(bench, events, text));
    isReplacing = false;
  }

  async function showDoc(): Promise<void> {
    const { doc, listing, subject } = store.state;
    if (doc === null || isTyping) return;
    // A binary file has its text when its listing is there; a source has it from the beginning.
    const text = doc.text ?? (subject?.doc === doc ? listing?.text : undefined);
    if (text === undefined || (doc === shown && (doc.text !== undefined || listing === shownListing))) return;
    shown = doc;
    shownListing = listing;
    const pieces = await textInPieces(text);
    if (store.state.doc !== doc) return;
    replace(pieces);
    showListing();
    mark();
  }

  function showListing(): void {
    const { listing } = store.state;
    showMargins(view, listing, []);
    showLive();
  }

  const showLive = later(60, async () => {
    const { listing, subject } = store.state;
    if (listing === null || subject === null || listing.offsets.length > LIVE_LIMIT) return;
    const live = await engine
      .request(engine.work, "live", referTo(subject), { docs: [subject.doc] })
      .catch(() => [] as string[]);
    if (store.state.listing === listing) showMargins(view, listing, live);
  });

  function mark(): void {
    const { findings, listing } = store.state;
    showFindings(view, findings, listing, (code) => bench.explain(code));
  }

  store.on(["doc", "listing"], () => void showDoc());
  store.on(["listing"], showListing);
  store.on(["findings"], mark);
  store.on(["spot"], ({ spot, listing }) => {
    const line = spot === null ? undefined : listing?.lines[spot.instruction];
    highlight(view, line === undefined || line < 0 ? [] : [line], spot !== null && spot.reveal && spot.from !== "listing");
  });
  void showDoc();
  return {
    element,
    visible(visible) {
      if (visible) view.requestMeasure();
    },
  };
}
