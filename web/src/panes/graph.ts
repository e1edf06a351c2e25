import type { Cfg } from "shisa";
import { referTo } from "../engine/engine.ts";
import { layOut } from "../model/layered.ts";
import { instructionAt } from "../model/lines.ts";
import type { Listing } from "../model/state.ts";
import type { Workbench } from "../model/workbench.ts";
import { button, h, svg } from "../ui/dom.ts";
import { ZoomView } from "../ui/zoom.ts";
import { follow } from "./follow.ts";
import type { Pane } from "./pane.ts";

type Block = Cfg["blocks"][number];

/** Sizes in pixels. */
const LINE = 16;
const CHARACTER = 7.3;
const PADDING = 10;

/** The most instructions of a block that are drawn, and the most characters of a line. */
const LINES = 12;
const CHARACTERS = 44;

/** Graphs with more blocks are not drawn. */
const BLOCKS = 600;

/** The control flow graph. Blocks and their lines are linked to the listing. */
export function graphPane(bench: Workbench): Pane {
  const view = new ZoomView("Control flow graph");
  const note = h("span", { class: "muted" });
  /** What is drawn for each instruction. */
  let linked = new Map<number, { readonly line: SVGElement; readonly block: SVGElement }>();

  const pane = follow<Cfg>({
    bench,
    content: view.element,
    tools: [
      button("+", () => view.zoom(1.25), { class: "icon", attributes: { "aria-label": "Zoom in" } }),
      button("−", () => view.zoom(0.8), { class: "icon", attributes: { "aria-label": "Zoom out" } }),
      button("Fit", () => view.fit()),
      note,
    ],
    request: (subject) => bench.engine.ask(bench.engine.work, "graph", referTo(subject), { docs: [subject.doc] }),
    show(graph, _subject, listing) {
      const count = `${graph.blocks.length} ${graph.blocks.length === 1 ? "block" : "blocks"}`;
      note.textContent = graph.complete ? count : `${count}; some jumps have targets that are not known`;
      linked = new Map();
      if (graph.blocks.length > BLOCKS) {
        note.textContent = `${count}: at most ${BLOCKS} are drawn`;
        view.draw([], 1, 1);
        return;
      }
      drawGraph(graph, listing);
      mark();
    },
  });

  function drawGraph(graph: Cfg, listing: Listing): void {
    const drawing = layOut(graph.blocks.map((block) => ({
      width: widthOf(block), height: shownLines(block).length * LINE + 2 * PADDING, to: block.edges.map(({ to }) => to),
    })));
    const parts: SVGElement[] = [];
    for (const [index, edges] of drawing.edges.entries()) {
      for (const [number, { points, isBack }] of edges.entries()) {
        const when = graph.blocks[index]?.edges[number]?.when;
        const kind = when === true ? "yes" : when === false ? "no" : "always";
        parts.push(svg("path", { d: curve(points, isBack), class: `edge ${kind}`, "marker-end": `url(#arrow-${kind})` }));
      }
    }
    for (const [index, block] of graph.blocks.entries()) {
      const { x, y } = drawing.boxes[index] ?? { x: 0, y: 0 };
      parts.push(drawBlock(block, index, x, y, listing));
    }
    view.draw(parts, drawing.width, drawing.height);
  }

  function drawBlock(block: Block, index: number, x: number, y: number, listing: Listing): SVGElement {
    const lines = shownLines(block);
    const rect = svg("rect", { width: widthOf(block), height: lines.length * LINE + 2 * PADDING, rx: 6 });
    const group = svg("g", { class: "block", transform: `translate(${x} ${y})`, tabindex: 0, role: "button", "aria-label": `Block ${index}: ${block.instructions.length} instructions` }, rect);
    const first = block.instructions[0];
    const instructionOf = (offset: number) => instructionAt(listing.offsets, listing.sizes, offset);
    for (const [number, { text, offset }] of lines.entries()) {
      const line = svg("text", { x: PADDING, y: PADDING + (number + 0.75) * LINE }, text);
      if (offset >= 0) {
        const instruction = instructionOf(offset);
        line.addEventListener("mouseenter", () => bench.point({ instruction, from: "graph", reveal: false }));
        line.addEventListener("click", () => bench.point({ instruction, from: "graph", reveal: true }));
      }
      group.append(line);
    }
    for (const [number, { offset }] of block.instructions.entries()) {
      const line = group.querySelectorAll("text")[Math.min(number, lines.length - 1)];
      if (line !== undefined) linked.set(instructionOf(offset), { line, block: group });
    }
    group.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && first !== undefined) bench.point({ instruction: instructionOf(first.offset), from: "graph", reveal: true });
    });
    return group;
  }

  function mark(): void {
    const { spot } = bench.store.state;
    for (const element of view.element.querySelectorAll(".linked")) element.classList.remove("linked");
    const found = spot === null ? undefined : linked.get(spot.instruction);
    found?.line.classList.add("linked");
    found?.block.classList.add("linked");
    if (found !== undefined && spot !== null && spot.reveal && spot.from !== "graph") view.reveal(found.block);
  }

  bench.store.on(["spot"], mark);
  return pane;
}

/** The lines of a block; of a long one the first and the last. */
function shownLines({ instructions }: Block): { text: string; offset: number }[] {
  const shorten = ({ text, offset }: { text: string; offset: number }) => {
    const line = text.replaceAll(/\s+/g, " ");
    return { offset, text: line.length > CHARACTERS ? `${line.slice(0, CHARACTERS - 1)}…` : line };
  };
  if (instructions.length <= LINES) return instructions.map(shorten);
  const hidden = instructions.length - LINES + 1;
  return [...instructions.slice(0, LINES - 2).map(shorten), { text: `… ${hidden} more`, offset: -1 }, ...instructions.slice(-1).map(shorten)];
}

function widthOf(block: Block): number {
  const longest = Math.max(6, ...shownLines(block).map(({ text }) => text.length));
  return longest * CHARACTER + 2 * PADDING;
}

/** A smooth line through points; the edge of a loop has corners. */
function curve(points: readonly { readonly x: number; readonly y: number }[], isBack: boolean): string {
  const [first, ...rest] = points;
  if (first === undefined) return "";
  let path = `M${first.x} ${first.y}`;
  let last = first;
  for (const point of rest) {
    const middle = (last.y + point.y) / 2;
    path += isBack ? `L${point.x} ${point.y}` : `C${last.x} ${middle} ${point.x} ${middle} ${point.x} ${point.y}`;
    last = point;
  }
  return path;
}
