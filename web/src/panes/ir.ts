import { irLines } from "../editor/irLines.ts";
import { lineLink } from "../editor/link.ts";
import { Reader } from "../editor/reader.ts";
import { referTo } from "../engine/engine.ts";
import type { Workbench } from "../model/workbench.ts";
import { h } from "../ui/dom.ts";
import { follow } from "./follow.ts";
import type { Pane } from "./pane.ts";

/** The intermediate representation as text. */
export function irPane(bench: Workbench): Pane {
  const reader = new Reader(bench, "ir", "Intermediate representation");
  return follow<string>({
    bench,
    content: h("div", { class: "fill" }, reader.view.dom),
    request: (subject) => bench.engine.request(bench.engine.work, "ir", referTo(subject), { docs: [subject.doc] }),
    show: (text) => reader.show(text, lineLink(irLines(text))),
  });
}
