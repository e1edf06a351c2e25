import { referTo } from "../engine/engine.ts";
import type { Workbench } from "../model/workbench.ts";
import { h } from "../ui/dom.ts";
import { valueElement } from "../ui/value.ts";
import { follow } from "./follow.ts";
import type { Pane } from "./pane.ts";

/** How to bind the translation in WGSL. */
export function reflectionPane(bench: Workbench): Pane {
  const content = h("div", { class: "scroll padded" });
  return follow<Record<string, unknown>>({
    bench,
    content,
    async request(subject) {
      const { engine } = bench;
      const argument = { ...referTo(subject), to: "wgsl" as const, options: {} };
      const translation = await engine.request(engine.work, "translate", argument, { docs: [subject.doc], topic: "reflection" });
      return translation.reflection as Record<string, unknown>;
    },
    show(reflection) {
      const scalars: Record<string, unknown> = {};
      const parts: Node[] = [];
      for (const [name, value] of Object.entries(reflection)) {
        if (name === "version" || value === null || (Array.isArray(value) && value.length === 0)) continue;
        if (typeof value === "object" && name !== "workgroup") parts.push(h("h3", {}, name), valueElement(value));
        else scalars[name] = value;
      }
      content.replaceChildren(valueElement(scalars), ...parts);
    },
  });
}
