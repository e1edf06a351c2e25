import type { PaneKind } from "../panes/pane.ts";
import { h } from "../ui/dom.ts";

/** What the tabs of a group can do. */
export interface TabActs {
  show(pane: string): void;
  /** Moves a pane to the neighbour in a direction. */
  shift(pane: string, key: string): void;
  drag(pane: string | null): void;
}

/** The tabs of a group. The arrow keys go from tab to tab; with Alt they move the pane. */
export function tabList(kinds: readonly PaneKind[], shown: string, acts: TabActs): HTMLElement {
  const list = h("div", { class: "tabs", attributes: { role: "tablist", "aria-label": "Panes" } });
  for (const kind of kinds) {
    const chosen = kind.id === shown;
    const tab = h("button", {
      type: "button",
      title: kind.hint,
      draggable: true,
      tabIndex: chosen ? 0 : -1,
      id: `tab-${kind.id}`,
      data: { pane: kind.id },
      attributes: {
        role: "tab",
        "aria-selected": String(chosen),
        ...(chosen ? { "aria-controls": `pane-${kind.id}` } : {}),
      },
      on: {
        click: () => acts.show(kind.id),
        keydown: (event) => tabKey(event, kinds, kind, acts),
        dragstart: (event) => {
          event.dataTransfer?.setData("text/plain", kind.title);
          acts.drag(kind.id);
        },
        dragend: () => acts.drag(null),
      },
    }, kind.title);
    list.append(tab);
  }
  return list;
}

function tabKey(event: KeyboardEvent, kinds: readonly PaneKind[], kind: PaneKind, acts: TabActs): void {
  if (!event.key.startsWith("Arrow") && event.key !== "Home" && event.key !== "End") return;
  if (event.altKey) {
    event.preventDefault();
    acts.shift(kind.id, event.key);
    return;
  }
  const at = kinds.indexOf(kind);
  const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: kinds.length - 1 }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  const other = kinds[(next + kinds.length) % kinds.length];
  if (other !== undefined) acts.show(other.id);
}
