import type { PaneLayout } from "../layout/view.ts";
import { button, h } from "../ui/dom.ts";
import { showDialog } from "../ui/dialog.ts";

const KEYS: readonly (readonly [string, string])[] = [
  ["← →", "in the tabs: the pane before or after"],
  ["Alt ← → ↑ ↓", "in the tabs: move the pane to another column or group"],
  ["Ctrl Space", "in the listing: completion"],
  ["F1", "in the listing: explain the word at the cursor"],
  ["F8", "in the listing: the next finding"],
  ["Ctrl F", "in a text: search"],
  ["F10, Shift F10", "in the debugger: one step, one step back"],
  ["F5, Shift F5", "in the debugger: run on, run back"],
  ["Tab", "everywhere: the next control, also out of the listing"],
];

/** Shows the keys of the page, and the button that restores the first arrangement. */
export function showKeys(layout: PaneLayout): void {
  const list = h("dl", { class: "pairs keys" });
  for (const [key, act] of KEYS) list.append(h("dt", {}, h("kbd", {}, key)), h("dd", {}, act));
  const dialog = showDialog("Keys and panes", list,
    h("p", {}, "Tabs can be dragged to other groups. A tab that is dropped in the lower part of a pane gets a group of its own."),
    h("p", {}, "Everything runs in this browser. No file, no text and no link is sent anywhere."),
    h("div", { class: "tools" }, button("Restore the panes", () => {
      layout.reset();
      dialog.close();
    })));
}
