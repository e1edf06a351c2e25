import { h } from "./dom.ts";

/** A table with a head. Rows with `act` can be chosen by a click or by the key Enter. */
export function table(
  head: readonly string[],
  rows: readonly { readonly cells: readonly (Node | string)[]; readonly act?: () => void; readonly chosen?: boolean }[],
): HTMLElement {
  const body = h("tbody");
  for (const { cells, act, chosen } of rows) {
    const row = h("tr", {}, ...cells.map((cell) => h("td", {}, cell)));
    if (chosen === true) row.setAttribute("aria-current", "true");
    if (act !== undefined) {
      row.tabIndex = 0;
      row.addEventListener("click", act);
      row.addEventListener("keydown", (event) => {
        if (event.key === "Enter") act();
      });
    }
    body.append(row);
  }
  const headRow = h("tr", {}, ...head.map((text) => h("th", { scope: "col" }, text)));
  return h("div", { class: "table", tabIndex: 0, attributes: { role: "group", "aria-label": "Table" } },
    h("table", {}, h("thead", {}, headRow), body));
}
