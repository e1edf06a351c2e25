import type { PaneLayout } from "../layout/view.ts";
import { isaName } from "../model/isas.ts";
import type { Workbench } from "../model/workbench.ts";
import { chooseFiles, pasteDialog, shareLink } from "../open/arrivals.ts";
import { button, choice, h } from "../ui/dom.ts";
import { themeSwitch } from "../ui/theme.ts";
import { showKeys } from "./keys.ts";
import { examplesDialog } from "./welcome.ts";

/** The head of the page. */
export function header(bench: Workbench, layout: PaneLayout): HTMLElement {
  const { store } = bench;
  const docs = h("div", { class: "docs" });

  function closeDoc(): void {
    const { doc } = store.state;
    if (doc !== null) bench.close(doc);
  }

  function draw(): void {
    const { docs: all, doc, identity, program } = store.state;
    const parts: Node[] = [];
    if (doc !== null) {
      parts.push(choice("File", all.map(({ name }, index) => ({ value: String(index), text: name })), String(all.indexOf(doc)), (index) => {
        const next = store.state.docs[Number(index)];
        if (next !== undefined) bench.show(next);
      }, "quiet"));
      const programs = identity?.programs ?? [];
      if (programs.length > 1) {
        parts.push(choice("Program", programs.map(({ name }, index) => ({ value: String(index), text: `${index + 1}: ${name}` })), String(program),
          (value) => bench.chooseProgram(Number(value)), "quiet"));
      }
      if (identity?.isa) parts.push(h("span", { class: "badge", data: { isa: identity.isa } }, isaName(identity.isa)));
      parts.push(button("×", closeDoc, { class: "icon", title: "Close the file", attributes: { "aria-label": "Close the file" } }));
    }
    docs.replaceChildren(...parts);
  }
  // An edit makes a new document with each key, which has the old name.
  store.watch(({ docs: all, doc, identity, program }) => [...all.map(({ name }) => name), doc?.name, identity, program], draw);
  draw();

  return h("header", { class: "head" },
    h("h1", {}, h("img", { src: "./icon.svg", alt: "", width: 22, height: 22 }), "shisa"),
    h("div", { class: "tools" },
      button("Open…", () => chooseFiles(bench)),
      button("Paste…", () => pasteDialog(bench)),
      button("Examples", () => examplesDialog(bench)),
      button("Copy link", () => void shareLink(bench), { title: "A link that carries the program" })),
    docs,
    h("div", { class: "tools end" },
      button("Reference", () => layout.show("reference", true)),
      button("?", () => showKeys(layout), { class: "icon", title: "Keys and panes", attributes: { "aria-label": "Keys and panes" } }),
      themeSwitch()));
}
