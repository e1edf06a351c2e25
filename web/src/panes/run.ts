import type { RunInput } from "shisa";
import { referTo } from "../engine/engine.ts";
import type { Subject } from "../model/state.ts";
import type { Workbench } from "../model/workbench.ts";
import { button, check, h } from "../ui/dom.ts";
import { download } from "../ui/download.ts";
import { valueElement } from "../ui/value.ts";
import { failure, follow } from "./follow.ts";
import { InputForm } from "./input.ts";
import type { Pane } from "./pane.ts";

/** Runs the program on inputs, and shows the outputs. */
export function runPane(bench: Workbench): Pane {
  const input = new InputForm(bench);
  const output = h("div", { class: "output", attributes: { "aria-live": "polite" } });
  let isBatch = false;
  let subject: Subject | null = null;
  let result: RunInput | undefined;

  async function run(): Promise<void> {
    if (subject === null) return;
    const { engine } = bench;
    output.replaceChildren(h("p", { class: "muted" }, "running…"));
    try {
      const options = { engine: isBatch ? "batch" : "evaluator" } as const;
      const given = await bench.input(subject);
      result = await engine.request(engine.work, "run", { ...referTo(subject), input: given, options }, { docs: [subject.doc] });
      output.replaceChildren(...outputs(result, given));
    } catch (error) {
      output.replaceChildren(...failure(bench, error));
    }
  }

  return follow<RunInput>({
    bench,
    tools: [
      button("Run", () => void run(), { class: "primary" }),
      check("Batch engine", isBatch, (value) => {
        isBatch = value;
      }),
      button("Save the result", () => {
        if (result !== undefined) download("result.json", JSON.stringify(result, null, 2));
      }),
    ],
    content: h("div", { class: "scroll padded split" }, input.element, output),
    request: (next) => bench.input(next),
    show(given, next) {
      const isNew = subject?.doc.name !== next.doc.name;
      subject = next;
      if (isNew) {
        input.draw(given);
        output.replaceChildren();
      }
    },
  });
}

/** The members of a result that the input does not have, or has with other values. */
function outputs(result: RunInput, given: RunInput): Node[] {
  const parts: Node[] = [];
  for (const [name, value] of Object.entries(result)) {
    if (JSON.stringify(value) === JSON.stringify(given[name])) continue;
    parts.push(h("h3", {}, name === "expected" ? "outputs" : name), valueElement(value));
  }
  if (parts.length === 0) parts.push(h("p", { class: "muted" }, "The run has no outputs."));
  return parts;
}
