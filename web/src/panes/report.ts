import { referTo } from "../engine/engine.ts";
import { instructionAt } from "../model/lines.ts";
import type { Workbench } from "../model/workbench.ts";
import { button, h } from "../ui/dom.ts";
import { table } from "../ui/table.ts";
import { valueElement } from "../ui/value.ts";
import { follow } from "./follow.ts";
import type { Pane } from "./pane.ts";
import { registersIn } from "./pressure.ts";

type Fields = Record<string, unknown>;

/** Fields that the head of the page shows. */
const HIDDEN = new Set(["version", "isa", "name", "file", "source"]);

/** What the program costs. */
export function reportPane(bench: Workbench): Pane {
  const content = h("div", { class: "scroll padded" });
  return follow<[unknown, string[]]>({
    bench,
    content,
    async request(subject) {
      const { engine } = bench;
      const options = { docs: [subject.doc] };
      const report = await engine.request(engine.work, "report", referTo(subject), options);
      const live = await engine.request(engine.work, "live", referTo(subject), { ...options, topic: "live of the report" });
      return [report, live];
    },
    show([report, live]) {
      const fields = Object.entries(report as Fields).filter(([name]) => !HIDDEN.has(name));
      const tiles = h("div", { class: "tiles" });
      const rest: Node[] = [];
      for (const [name, value] of fields) {
        const title = name.replaceAll("_", " ");
        if (typeof value === "number") tiles.append(tile(title, String(value)));
        else if (Array.isArray(value) && value.length === 0) continue;
        else if (value === null) continue;
        else rest.push(h("h3", {}, title), detail(name, value));
      }
      const source = (report as Fields).source;
      content.replaceChildren(tiles, ...pressure(live), ...rest, ...(typeof source === "string" ? [h("p", { class: "note" }, source)] : []));
    },
  });

  /** A link to the instruction with the most live registers. */
  function pressure(live: readonly string[]): Node[] {
    const counts = live.map(registersIn);
    const most = Math.max(0, ...counts);
    if (most === 0) return [];
    const instruction = counts.indexOf(most);
    return [
      h("h3", {}, "register pressure"),
      chart(counts),
      button(`Go to the line with the most live registers: ${most}`, () => bench.point({ instruction, from: "report", reveal: true }), { class: "link" }),
    ];
  }

  function chart(counts: readonly number[]): HTMLElement {
    const most = Math.max(...counts);
    const bars = h("div", { class: "bars", attributes: { role: "img", "aria-label": `Live registers after each instruction, at most ${most}` } });
    const step = Math.max(1, Math.ceil(counts.length / 200));
    for (let at = 0; at < counts.length; at += step) {
      const instruction = at;
      const value = Math.max(...counts.slice(at, at + step));
      const bar = h("i", { title: `instruction ${at}: ${value} live`, on: { click: () => bench.point({ instruction, from: "report", reveal: true }) } });
      bar.style.height = `${(100 * value) / most}%`;
      bars.append(bar);
    }
    return bars;
  }

  function detail(name: string, value: unknown): HTMLElement {
    if (name === "loops" && Array.isArray(value)) return loops(value as { start: number; end: number; cycles: number }[]);
    if (typeof value === "object" && value !== null && Object.values(value).every((item) => typeof item === "object" && item !== null)) {
      const rows = Object.entries(value).map(([key, fields]) => ({ name: key, ...(fields as object) }));
      return valueElement(rows);
    }
    return valueElement(value);
  }

  function loops(list: readonly { start: number; end: number; cycles: number }[]): HTMLElement {
    return table(["from", "to", "cycles an iteration"], list.map(({ start, end, cycles }) => ({
      cells: [`0x${start.toString(16)}`, `0x${end.toString(16)}`, String(cycles)],
      act: () => {
        const { listing } = bench.store.state;
        const instruction = listing === null ? -1 : instructionAt(listing.offsets, listing.sizes, start);
        if (instruction >= 0) bench.point({ instruction, from: "report", reveal: true });
      },
    })));
  }
}

function tile(title: string, value: string): HTMLElement {
  return h("div", { class: "tile" }, h("strong", {}, value), h("span", {}, title));
}
