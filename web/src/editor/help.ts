import { autocompletion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import type { Extension } from "@codemirror/state";
import { type EditorView, hoverTooltip } from "@codemirror/view";
import type { Explanation, Isa } from "shisa";
import type { Workbench } from "../model/workbench.ts";
import { button, h } from "../ui/dom.ts";
import { liveAt } from "./gutters.ts";

const WORD = /[A-Za-z_][\w]*(?:\.[\w]+)*/;

function isaOf({ store }: Workbench): Isa | undefined {
  const { doc, identity, listing } = store.state;
  return doc?.isa ?? identity?.isa ?? listing?.isa ?? undefined;
}

/** The explanation of a word, else of its parts: of `FADD.FTZ` that of `FADD`, of `r2.xyz` that of `r2`. */
export async function explanation(bench: Workbench, word: string): Promise<Explanation | undefined> {
  const isa = isaOf(bench);
  const parts = word.split(".");
  const tries = [word, ...(parts.length > 1 ? [parts[0] ?? ""] : [])];
  for (const text of tries) {
    const argument = isa === undefined ? { word: text } : { word: text, isa };
    const found = await bench.engine
      .request(bench.engine.edit, "explain", argument, { topic: `explain ${text}` })
      .catch(() => [] as Explanation[]);
    if (found[0] !== undefined) return found[0];
  }
  return undefined;
}

/** The word at a position. */
export function wordAt(view: EditorView, position: number): { text: string; from: number; to: number } | undefined {
  const line = view.state.doc.lineAt(position);
  for (const found of line.text.matchAll(new RegExp(WORD, "g"))) {
    const from = line.from + found.index;
    const to = from + found[0].length;
    if (from <= position && position <= to) return { text: found[0], from, to };
  }
  return undefined;
}

/** Hover explains a word; completion offers all words of the instruction set. */
export function help(bench: Workbench): Extension {
  const words = new Map<string, Promise<readonly string[]>>();

  async function complete(context: CompletionContext): Promise<CompletionResult | null> {
    const before = context.matchBefore(/[.A-Za-z_][\w.]*/);
    if (before === null && !context.explicit) return null;
    const isa = isaOf(bench);
    const key = isa ?? "";
    let list = words.get(key);
    if (list === undefined) {
      list = bench.engine.request(bench.engine.edit, "words", isa);
      list.catch(() => words.delete(key));
      words.set(key, list);
    }
    const dot = before?.text.lastIndexOf(".") ?? -1;
    const from = before === null ? context.pos : before.from + Math.max(dot, 0);
    return {
      from,
      options: (await list).map((label) => ({
        label,
        info: async () => {
          const found = await explanation(bench, label);
          return found === undefined ? null : h("div", { class: "hover" }, h("p", {}, found.summary));
        },
      })),
      validFor: /^[.A-Za-z_][\w]*$/,
    };
  }

  return [
    autocompletion({ override: [complete], icons: false }),
    hoverTooltip(async (view, position) => {
      const word = wordAt(view, position);
      if (word === undefined) return null;
      const found = await explanation(bench, word.text);
      if (found === undefined) return null;
      const live = liveAt(view, position);
      return {
        pos: word.from,
        end: word.to,
        above: true,
        create: () => ({ dom: hover(bench, found, live) }),
      };
    }, { hoverTime: 350 }),
  ];
}

/** The most lines that hover shows of a section. */
const LINES = 4;

function hover(bench: Workbench, found: Explanation, live: string | undefined): HTMLElement {
  const section = found.sections.find(({ heading }) => heading === "What it does") ?? found.sections[0];
  return h("div", { class: "hover" },
    h("p", {}, h("strong", {}, found.word), ` ${found.kind}`),
    h("p", {}, found.summary),
    section !== undefined && h("pre", {}, section.lines.slice(0, LINES).join("\n")),
    live !== undefined && live !== "" && h("p", { class: "note" }, `live after the instruction: ${live}`),
    button("Reference", () => bench.explain(found.word), { class: "link" }));
}
