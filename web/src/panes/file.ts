import type { Isa } from "shisa";
import { referTo } from "../engine/engine.ts";
import { ISAS, isaName } from "../model/isas.ts";
import type { Chip } from "../model/state.ts";
import type { Workbench } from "../model/workbench.ts";
import { button, choice, h } from "../ui/dom.ts";
import { download } from "../ui/download.ts";
import { table } from "../ui/table.ts";
import { HexView } from "./hex.ts";
import type { Pane } from "./pane.ts";

const CHIPS: readonly Chip[] = [50, 52, 53];

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
    const choices: Node[] = [];
    if (identity?.isa === undefined || identity.isa === null || identity.confidence !== "certain") choices.push(isaChoice(), ...chipChoice());
    if (identity?.container === "nvn-code") choices.push(controlChoice());
    if (choices.length > 0) parts.push(h("div", { class: "tools" }, ...choices));
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
    return choice("Read it as", [none, ...ISAS], doc?.isa ?? none.value, (isa) => bench.readAs({ isa }));
  }

  /** The chip of code of Maxwell without a container. */
  function chipChoice(): HTMLElement[] {
    const { doc, identity } = store.state;
    if (identity?.isa !== "maxwell") return [];
    const options = CHIPS.map((chip) => ({ value: String(chip), text: `sm_${chip}` }));
    const now = doc?.sm ?? CHIPS.find((chip) => identity.chip === `sm_${chip}`) ?? CHIPS[0];
    return [choice("Chip", options, String(now), (value) => {
      const sm = CHIPS.find((chip) => String(chip) === value);
      if (sm !== undefined) bench.readAs({ sm });
    })];
  }

  /** The control file of a code file of NVN, one of the other open files. */
  function controlChoice(): HTMLElement {
    const { doc, docs } = store.state;
    const others = docs.filter((other) => other !== doc);
    const options = [{ value: "", text: "none" }, ...others.map(({ key, name }) => ({ value: String(key), text: name }))];
    const now = others.find(({ bytes }) => bytes === doc?.control)?.key;
    return choice("Control file", options, now === undefined ? "" : String(now), (value) => {
      const control = others.find(({ key }) => String(key) === value);
      if (control !== undefined) bench.readAs({ control: control.bytes });
    });
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
  store.watch(({ doc, docs, identity, program, listing, subject }) => [doc?.name, docs.length, identity, program, listing, subject?.doc.base], draw);
  draw();
  return {
    element,
    visible(visible) {
      if (visible) bytes.draw();
    },
  };
}
