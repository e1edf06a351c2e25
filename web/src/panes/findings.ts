import type { Diagnostic } from "shisa";
import { instructionAt } from "../model/lines.ts";
import type { Workbench } from "../model/workbench.ts";
import { button, h } from "../ui/dom.ts";
import type { Pane } from "./pane.ts";

/** The most findings that are drawn. */
const MOST = 500;

/** Errors and warnings of the document. */
export function findingsPane(bench: Workbench): Pane {
  const list = h("ul", { class: "findings", attributes: { "aria-label": "Findings" } });
  const element = h("div", { class: "pane scroll" }, list);

  function draw(): void {
    const { findings, doc } = bench.store.state;
    const items = findings.slice(0, MOST).map((finding) => h("li", { class: `finding ${finding.severity}` }, ...parts(finding)));
    if (findings.length > MOST) items.push(h("li", { class: "muted" }, `${findings.length - MOST} more`));
    if (findings.length === 0 && doc !== null) items.push(h("li", { class: "muted" }, "No rule of the instruction set finds anything."));
    list.replaceChildren(...items);
  }

  function parts(finding: Diagnostic): Node[] {
    const location = finding.line ? `line ${finding.line}` : finding.offset == null ? "" : `byte 0x${finding.offset.toString(16)}`;
    return [
      h("p", {}, h("strong", {}, finding.severity), " ", finding.message),
      ...[...finding.notes, ...finding.help].map((note) => h("p", { class: "note" }, note)),
      h("p", { class: "links" },
        location !== "" && button(location, () => go(finding), { class: "link" }),
        button(finding.code, () => bench.explain(finding.code), { class: "link" })),
    ];
  }

  function go(finding: Diagnostic): void {
    const { listing } = bench.store.state;
    if (listing === null) return;
    const instruction = finding.line
      ? listing.lines.indexOf(finding.line - 1)
      : instructionAt(listing.offsets, listing.sizes, finding.offset ?? -1);
    if (instruction >= 0) bench.point({ instruction, from: "findings", reveal: true });
  }

  bench.store.watch(({ findings, doc }) => [findings, doc === null], draw);
  draw();
  return { element, visible() {} };
}
