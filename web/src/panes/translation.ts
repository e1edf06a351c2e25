import type { Language, Translation } from "shisa";
import { lineLink } from "../editor/link.ts";
import { Reader } from "../editor/reader.ts";
import { referTo } from "../engine/engine.ts";
import { hex } from "../model/text.ts";
import type { Workbench } from "../model/workbench.ts";
import { button, check, choice, h } from "../ui/dom.ts";
import { download } from "../ui/download.ts";
import { oneOf, Remembered } from "../ui/remembered.ts";
import { describe, follow } from "./follow.ts";
import type { Pane } from "./pane.ts";

interface Target {
  readonly value: string;
  readonly text: string;
  readonly to: Language;
  readonly version?: string;
  /** Of the saved file. */
  readonly extension: string;
}

const WGSL: Target = { value: "wgsl", text: "WGSL", to: "wgsl", extension: "wgsl" };

const TARGETS: readonly Target[] = [
  WGSL,
  { value: "glsl", text: "GLSL 4.50", to: "glsl", version: "450", extension: "glsl" },
  { value: "glsl330", text: "GLSL 3.30", to: "glsl", version: "330", extension: "glsl" },
  { value: "glsles", text: "GLSL ES 3.00", to: "glsl", version: "300es", extension: "glsl" },
  { value: "glsles31", text: "GLSL ES 3.10", to: "glsl", version: "310es", extension: "glsl" },
  { value: "hlsl", text: "HLSL", to: "hlsl", extension: "hlsl" },
  { value: "msl", text: "MSL", to: "msl", extension: "metal" },
  { value: "spirv", text: "SPIR-V", to: "spirv", extension: "spv" },
];

/** The program in a shading language. */
export function translationPane(bench: Workbench): Pane {
  const language = new Remembered<string>("language", WGSL.value, oneOf(...TARGETS.map(({ value }) => value)));
  const options = { comments: false, exact: false };
  const reader = new Reader(bench, "translation", "Translation");
  const warnings = h("div", { class: "warnings" });
  const content = h("div", { class: "fill" }, warnings, reader.view.dom);
  let last: Translation | undefined;

  function target(): Target {
    return TARGETS.find(({ value }) => value === language.value) ?? WGSL;
  }

  function set(name: keyof typeof options): (value: boolean) => void {
    return (value) => {
      options[name] = value;
      pane.refresh();
    };
  }

  const pane = follow<Translation>({
    bench,
    content,
    tools: [
      choice("Language", TARGETS, language.value, (value) => {
        language.value = value;
        pane.refresh();
      }, "quiet"),
      check("Comments", options.comments, set("comments")),
      check("Exact", options.exact, set("exact")),
      button("Copy", () => void copy()),
      button("Save", save),
    ],
    request(subject) {
      const { to, version } = target();
      const all = version === undefined ? options : { ...options, targetVersion: version };
      return bench.engine.request(bench.engine.work, "translate", { ...referTo(subject), to, options: { ...all } }, { docs: [subject.doc] });
    },
    show(translation) {
      last = translation;
      const text = translation.text ?? words(translation.bytes ?? new Uint8Array());
      const isText = translation.text !== undefined;
      const map = translation.map.flatMap((part) => linesOf(part, isText));
      reader.show(text, lineLink(map));
      warnings.replaceChildren(...(translation.warnings.length === 0 ? [] : warningsOf(translation)));
    },
  });

  function warningsOf(translation: Translation): Node[] {
    const list = translation.warnings;
    const text = `${list.length} ${list.length === 1 ? "note" : "notes"}`;
    return [h("details", {}, h("summary", {}, text), ...describe(bench, list))];
  }

  async function copy(): Promise<void> {
    await navigator.clipboard.writeText(reader.view.state.doc.toString());
    bench.say("the translation is in the clipboard");
  }

  function save(): void {
    const name = bench.store.state.doc?.name ?? "program";
    if (last !== undefined) download(`${name}.${target().extension}`, last.bytes ?? last.text ?? "");
  }

  return pane;
}

/** 32-bit words in a line of SPIR-V. */
const WORDS_OF_LINE = 8;

/** The lines of a part, from 0, with its instruction. */
function linesOf({ start, end, instruction }: Translation["map"][number], isText: boolean): (readonly [number, number])[] {
  const [first, last] = isText ? [start - 1, end - 2] : [Math.floor(start / WORDS_OF_LINE), Math.floor((end - 1) / WORDS_OF_LINE)];
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => [first + index, instruction] as const);
}

/** SPIR-V as 32-bit words in hex. */
function words(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lines: string[] = [];
  for (let start = 0; start < bytes.length; start += WORDS_OF_LINE * 4) {
    const line: string[] = [];
    for (let at = start; at + 4 <= bytes.length && at < start + WORDS_OF_LINE * 4; at += 4) line.push(hex(view.getUint32(at, true), 8));
    lines.push(line.join(" "));
  }
  return lines.join("\n");
}
