import type { Example } from "shisa";
import { isaName } from "../model/isas.ts";
import type { Workbench } from "../model/workbench.ts";
import { chooseFiles, pasteDialog } from "../open/arrivals.ts";
import { button, h } from "../ui/dom.ts";
import { showDialog } from "../ui/dialog.ts";

/** What the page shows before a file is open. */
export function welcome(bench: Workbench): HTMLElement {
  const examples = gallery(bench, () => undefined);
  return h("main", { class: "welcome" },
    h("section", { class: "drop" },
      h("h2", {}, "Drop a shader binary"),
      h("p", {}, "SWF, SHBIN, cubin, fatbin, DKSH, NVN, metallib, raw code or source: see what it is, what it does and what it lowers to."),
      h("div", { class: "tools" },
        button("Open files…", () => chooseFiles(bench), { class: "primary" }),
        button("Paste hex or text…", () => pasteDialog(bench))),
      h("p", { class: "muted" }, "AGAL (Flash), PICA200 (Nintendo 3DS), Maxwell (GTX 900, Switch) and AGX (Apple M1). Files stay in this browser.")),
    h("section", {}, h("h2", {}, "Or take an example"), examples));
}

/** The examples in a dialog. */
export function examplesDialog(bench: Workbench): void {
  const dialog = showDialog("Examples", gallery(bench, () => dialog.close()));
}

function gallery(bench: Workbench, chosen: () => void): HTMLElement {
  const list = h("ul", { class: "gallery", attributes: { "aria-label": "Examples" } }, h("li", { class: "muted" }, "loading…"));
  const open = (example: Example) => {
    const { name, source, isa, input } = example;
    bench.open([{ name, bytes: new TextEncoder().encode(source), isa, ...(input === null ? {} : { input }) }]);
    chosen();
  };
  const { engine } = bench;
  engine.request(engine.edit, "examples", null, { topic: `examples ${performance.now()}` }).then(
    (examples) => list.replaceChildren(...examples.map((example) => h("li", {}, h("button", { type: "button", on: { click: () => open(example) } },
      h("span", { class: "badge", data: { isa: example.isa } }, isaName(example.isa)),
      h("strong", {}, example.name), h("span", {}, example.title))))),
    (error: Error) => list.replaceChildren(h("li", { class: "error" }, error.message)),
  );
  return list;
}
