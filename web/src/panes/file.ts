import type { Isa } from "shisa";
import { referTo } from "../engine/engine.ts";
import { ISAS, isaName } from "../model/isas.ts";
import type { Workbench } from "../model/workbench.ts";
import { button, choice, h } from "../ui/dom.ts";
import { download } from "../ui/download.ts";
import { table } from "../ui/table.ts";
import { HexView } from "./hex.ts";
import type { Pane } from "./pane.ts";

/** What the file is, its programs, and its bytes. */
export function filePane(bench: Workbench): Pane {
  const { store } = bench;
  const facts = h("div", { class: "facts" });
  const bytes = new HexView(bench);
  const element = h("div", { class: "pane file" }, facts, bytes.element);

  function draw(): void {
    const { doc, identity, program, listing, subject } = store.state;
    if (doc === null) {
      facts.replaceChildren();
      return;
    }
    const rows = identity?.programs ?? [];
    const parts: Node[] = [
      h("dl", { class: "pairs" },
        h("dt", {}, "file"), h("dd", {}, doc.name),
        h("dt", {}, "size"), h("dd", {}, `${doc.bytes.length} bytes`),
        h("dt", {}, "kind"), h("dd", {}, identity?.container ?? "not recognised"),
        h("dt", {}, "instruction set"), h("dd", {}, isaName(identity?.isa), identity?.chip ? ` ${identity.chip}` : ""),
        h("dt", {}, "confidence"), h("dd", {}, identity?.confidence ?? "none")),
    ];
    if (identity?.isa === undefined || identity.isa === null || identity.confidence !== "certain") parts.push(isaChoice());
    if (rows.length > 0) {
      parts.push(table(["program", "stage", "offset", "bytes"], rows.map((row, index) => ({
        cells: [row.name || `program ${index + 1}`, row.stage ?? "–", `0x${row.offset.toString(16)}`, String(row.size)],
        act: () => bench.chooseProgram(index),
        chosen: index === program,
      }))));
    }
    if (listing !== null) {
      const saves = h("div", { class: "tools" }, button("Save code", () => void saveCode()));
      if (subject?.doc.base !== undefined) saves.append(button("Save in the file", () => void saveFile()));
      parts.push(saves);
    }
    facts.replaceChildren(...parts);
  }

  function isaChoice(): HTMLElement {
    const { doc } = store.state;
    const none = { value: "" as Isa, text: "choose…" };
    return h("div", { class: "tools" },
      choice("Read it as", [none, ...ISAS], doc?.isa ?? none.value, (isa) => bench.chooseIsa(isa)));
  }

  async function saveCode(): Promise<void> {
    const { subject } = store.state;
    if (subject === null) return;
    const code = await bench.engine.request(bench.engine.work, "extract", referTo(subject), { docs: [subject.doc] });
    download(`${subject.doc.name}.bin`, code);
  }

  async function saveFile(): Promise<void> {
    const { subject } = store.state;
    const base = subject?.doc.base;
    if (subject === null || base === undefined) return;
    const { engine } = bench;
    try {
      const code = await engine.request(engine.work, "extract", referTo(subject), { docs: [subject.doc] });
      download(base.doc.name, await engine.request(engine.work, "replace", { ...referTo(base), code }, { docs: [base.doc] }));
    } catch (error) {
      bench.say(error instanceof Error ? error.message : String(error));
    }
  }

  // An edit makes a new document with each key; its facts follow with the listing.
  store.watch(({ doc, identity, program, listing, subject }) => [doc?.name, identity, program, listing, subject?.doc.base], draw);
  draw();
  return {
    element,
    visible(visible) {
      if (visible) bytes.draw();
    },
  };
}
