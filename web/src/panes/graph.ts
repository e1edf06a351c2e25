import { referTo } from "../engine/engine.ts";
import type { Block, Graph } from "../engine/protocol.ts";
import { layOut } from "../model/layered.ts";
import { instructionAt } from "../model/lines.ts";
import type { Listing } from "../model/state.ts";
import type { Workbench } from "../model/workbench.ts";
import { button, h, svg } from "../ui/dom.ts";
import { ZoomView } from "../ui/zoom.ts";
import { follow } from "./follow.ts";
import type { Pane } from "./pane.ts";

/** Sizes in pixels. */
const LINE = 16;
const CHARACTER = 7.3;
const PADDING = 10;

/** Graphs with more blocks are not drawn. */
const BLOCKS = 600;

interface DrawnBlock {
  readonly group: SVGElement;
  readonly offsets: Uint32Array;
  /** The lines of the shown instructions by offset. */
  readonly lines: ReadonlyMap<number, SVGElement>;
}

/** The control flow graph. Blocks and their lines are linked to the listing. */
export function graphPane(bench: Workbench): Pane {
  const view = new ZoomView("Control flow graph");
  const note = h("span", { class: "muted" });
  /** The drawn blocks, with the lines of their instructions by offset. */
  let blocks: readonly DrawnBlock[] = [];

  const pane = follow<Graph>({
    bench,
    content: view.element,
    tools: [
      button("+", () => view.zoom(1.25), { class: "icon", attributes: { "aria-label": "Zoom in" } }),
      button("−", () => view.zoom(0.8), { class: "icon", attributes: { "aria-label": "Zoom out" } }),
      button("Fit", () => view.fit()),
      note,
    ],
    request: (subject) => bench.engine.request(bench.engine.work, "graph", referTo(subject), { docs: [subject.doc] }),
    show(graph, _subject, listing) {
      const count = `${graph.blocks.length} ${graph.blocks.length === 1 ? "block" : "blocks"}`;
      note.textContent = graph.complete ? count : `${count}; some jumps have targets that are not known`;
      blocks = [];
      if (graph.blocks.length > BLOCKS) {
        note.textContent = `${count}: at most ${BLOCKS} are drawn`;
        view.draw([], 1, 1);
        return;
      }
      drawGraph(graph, listing);
      mark();
    },
  });

  function drawGraph(graph: Graph, listing: Listing): void {
    const drawing = layOut(graph.blocks.map((block) => ({
      width: widthOf(block), height: block.lines.length * LINE + 2 * PADDING, to: block.edges.map(({ to }) => to),
    })));
    const parts: SVGElement[] = [];
    for (const [index, edges] of drawing.edges.entries()) {
      for (const [number, { points, isBack }] of edges.entries()) {
        const when = graph.blocks[index]?.edges[number]?.when;
        const kind = when === true ? "yes" : when === false ? "no" : "always";
        parts.push(svg("path", { d: curve(points, isBack), class: `edge ${kind}`, "marker-end": `url(#arrow-${kind})` }));
      }
    }
    blocks = graph.blocks.map((block, index) => {
      const { x, y } = drawing.boxes[index] ?? { x: 0, y: 0 };
      return drawBlock(block, index, x, y, listing);
    });
    parts.push(...blocks.map(({ group }) => group));
    view.draw(parts, drawing.width, drawing.height);
  }

  function drawBlock(block: Block, index: number, x: number, y: number, listing: Listing): DrawnBlock {
    const { lines, offsets } = block;
    const rect = svg("rect", { width: widthOf(block), height: lines.length * LINE + 2 * PADDING, rx: 6 });
    const group = svg("g", { class: "block", transform: `translate(${x} ${y})`, tabindex: 0, role: "button", "data-block": index }, rect);
    const byOffset = new Map<number, SVGElement>();
    const instructionOf = (offset: number) => instructionAt(listing.offsets, listing.sizes, offset);
    for (const [number, { text, offset }] of lines.entries()) {
      const line = svg("text", { x: PADDING, y: PADDING + (number + 0.75) * LINE }, text);
      if (offset >= 0) {
        const instruction = instructionOf(offset);
        byOffset.set(offset, line);
        line.addEventListener("mouseenter", () => bench.point({ instruction, from: "graph", reveal: false }));
        line.addEventListener("click", () => bench.point({ instruction, from: "graph", reveal: true }));
      }
      group.append(line);
    }
    group.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && offsets[0] !== undefined) bench.point({ instruction: instructionOf(offsets[0]), from: "graph", reveal: true });
    });
    return { group, offsets, lines: byOffset };
  }

  function mark(): void {
    const { spot, listing } = bench.store.state;
    for (const element of view.element.querySelectorAll(".linked")) element.classList.remove("linked");
    const offset = spot === null ? undefined : listing?.offsets[spot.instruction];
    if (spot === null || offset === undefined) return;
    // A block of the listing may be in the graph several times.
    for (const block of blocks.filter(({ offsets }) => offsets.includes(offset))) {
      block.group.classList.add("linked");
      block.lines.get(offset)?.classList.add("linked");
      if (spot.reveal && spot.from !== "graph") view.reveal(block.group);
    }
  }

  bench.store.on(["spot"], mark);
  return pane;
}

function widthOf(block: Block): number {
  const longest = Math.max(6, ...block.lines.map(({ text }) => text.length));
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
