import { PaneLayout } from "../layout/view.ts";
import type { Workbench } from "../model/workbench.ts";
import { acceptDrops, acceptLink } from "../open/arrivals.ts";
import { ARRANGEMENT, KINDS } from "../panes/kinds.ts";
import { h } from "../ui/dom.ts";
import { header } from "./header.ts";
import { statusBar } from "./status.ts";
import { welcome } from "./welcome.ts";

/** The whole page: head, panes or welcome, status bar. */
export function buildShell(bench: Workbench): HTMLElement {
  const { store } = bench;
  const layout = new PaneLayout(bench, KINDS, ARRANGEMENT);
  const start = welcome(bench);
  const element = h("div", { class: "page" }, header(bench, layout), start, layout.element, statusBar(bench));

  function swap(): void {
    const hasDoc = store.state.doc !== null;
    start.hidden = hasDoc;
    layout.element.hidden = !hasDoc;
    document.title = hasDoc ? `${store.state.doc?.name} – shisa` : "shisa: shader machine code";
  }
  store.watch(({ doc }) => [doc?.name], swap);
  store.on(["word"], ({ word }) => {
    if (word !== "") layout.show("reference");
  });
  swap();
  acceptDrops(bench);
  void acceptLink(bench);
  return element;
}
