import type { Workbench } from "../model/workbench.ts";
import type { Pane, PaneKind } from "../panes/pane.ts";
import { h } from "../ui/dom.ts";
import { Remembered } from "../ui/remembered.ts";
import {
  adopt, type Arrangement, find, type Group, isArrangement, move, resizeColumn, resizeGroup, show, single, type Target,
} from "./arrangement.ts";
import { splitter } from "./splitter.ts";
import { tabList } from "./tabs.ts";

/** Windows that are narrower than this, in pixels, show one pane at a time. */
const NARROW = "(max-width: 760px)";

/** The part of a pane's height, at its bottom, where a dropped tab becomes a group of its own. */
const OWN_GROUP = 0.6;

/** All panes as the user has arranged them. */
export class PaneLayout {
  readonly element = h("main", { class: "layout" });
  readonly #bench: Workbench;
  readonly #kinds: readonly PaneKind[];
  readonly #stored: Remembered<Arrangement>;
  readonly #initial: Arrangement;
  readonly #narrow = matchMedia(NARROW);
  readonly #panes = new Map<string, { readonly frame: HTMLElement; pane: Pane | undefined }>();
  #arrangement: Arrangement;
  /** The pane that narrow windows show. */
  #single = "listing";
  #dragged: string | null = null;

  constructor(bench: Workbench, kinds: readonly PaneKind[], initial: Arrangement) {
    this.#bench = bench;
    this.#kinds = kinds;
    this.#initial = initial;
    this.#stored = new Remembered("arrangement", initial, isArrangement);
    this.#arrangement = adopt(this.#stored.value, kinds.map(({ id }) => id));
    this.#narrow.addEventListener("change", () => this.#draw());
    this.#draw();
  }

  /** Shows a pane and sets the focus to its tab if `focus`. */
  show(pane: string, focus = false): void {
    this.#single = pane;
    this.#change(show(this.#arrangement, pane));
    if (focus) document.getElementById(`tab-${pane}`)?.focus();
  }

  /** Whether a pane can be seen. */
  shows(pane: string): boolean {
    return this.#drawn().some(({ groups }) => groups.some(({ shown }) => shown === pane));
  }

  reset(): void {
    this.#change(this.#initial);
  }

  #change(arrangement: Arrangement): void {
    this.#arrangement = arrangement;
    this.#stored.value = arrangement;
    this.#draw();
  }

  #drawn(): Arrangement {
    return this.#narrow.matches ? single(this.#arrangement, this.#single) : this.#arrangement;
  }

  #draw(): void {
    const focused = document.activeElement?.id;
    const drawn = this.#drawn();
    const parts = drawn.flatMap((column, index) => {
      const groups = column.groups.flatMap((group, number) => {
        const element = this.#group(group, { column: index, group: number, own: false });
        if (number === column.groups.length - 1) return [element];
        return [element, splitter("column", (by) => this.#resize(resizeGroup(this.#arrangement, index, number, by)))];
      });
      const element = h("div", { class: "column" }, ...groups);
      element.style.flexGrow = String(column.size);
      if (index === drawn.length - 1) return [element];
      return [element, splitter("row", (by) => this.#resize(resizeColumn(this.#arrangement, index, by)))];
    });
    this.element.replaceChildren(...parts);
    for (const [id, { pane }] of this.#panes) pane?.visible(this.shows(id));
    if (focused?.startsWith("tab-")) document.getElementById(focused)?.focus();
  }

  /** Changes sizes only: the elements stay, so that a drag of the pointer goes on. */
  #resize(arrangement: Arrangement): void {
    this.#arrangement = arrangement;
    this.#stored.value = arrangement;
    const columns = [...this.element.querySelectorAll<HTMLElement>(":scope > .column")];
    for (const [index, column] of columns.entries()) {
      column.style.flexGrow = String(arrangement[index]?.size);
      const groups = [...column.querySelectorAll<HTMLElement>(":scope > .group")];
      for (const [number, group] of groups.entries()) {
        group.style.flexGrow = String(arrangement[index]?.groups[number]?.size);
      }
    }
  }

  #group(group: Group, target: Target): HTMLElement {
    const kinds = group.panes.flatMap((id) => this.#kinds.find((kind) => kind.id === id) ?? []);
    const tabs = tabList(kinds, group.shown, {
      show: (pane) => this.show(pane, true),
      shift: (pane, key) => this.#shift(pane, key),
      drag: (pane) => {
        this.#dragged = pane;
      },
    });
    const element = h("section", { class: "group" }, tabs, this.#frame(group.shown));
    element.style.flexGrow = String(group.size);
    element.addEventListener("dragover", (event) => {
      if (this.#dragged !== null) event.preventDefault();
    });
    element.addEventListener("drop", (event) => {
      if (this.#dragged === null) return;
      event.preventDefault();
      event.stopPropagation();
      const { top, height } = element.getBoundingClientRect();
      const own = event.clientY > top + height * OWN_GROUP;
      this.#change(move(this.#arrangement, this.#dragged, { ...target, own }));
    });
    return element;
  }

  /** The element of a pane; its code is loaded at the first call. */
  #frame(id: string): HTMLElement {
    let known = this.#panes.get(id);
    if (known === undefined) {
      const frame = h("div", {
        class: "frame", id: `pane-${id}`, attributes: { role: "tabpanel", "aria-labelledby": `tab-${id}` },
      });
      known = { frame, pane: undefined };
      this.#panes.set(id, known);
      void this.#load(id, known);
    }
    return known.frame;
  }

  async #load(id: string, known: { readonly frame: HTMLElement; pane: Pane | undefined }): Promise<void> {
    try {
      const make = await this.#kinds.find((kind) => kind.id === id)?.load();
      known.pane = make?.(this.#bench);
    } catch {
      known.frame.replaceChildren(h("p", { class: "message" }, "The code of this pane could not be loaded. Reload the page."));
      return;
    }
    if (known.pane === undefined) return;
    known.frame.replaceChildren(known.pane.element);
    known.pane.visible(this.shows(id));
  }

  /** Moves a pane by keys: to the column beside, into the group above or below, or to a group of its own. */
  #shift(pane: string, key: string): void {
    const at = find(this.#arrangement, pane);
    if (at === undefined || this.#narrow.matches) return;
    const target: Target | undefined = {
      ArrowLeft: { column: at.column - 1, group: 0, own: false },
      ArrowRight: { column: at.column + 1, group: 0, own: false },
      ArrowUp: { column: at.column, group: at.group - 1, own: false },
      ArrowDown: { column: at.column, group: at.group + 1, own: false },
    }[key];
    if (target === undefined || target.column < 0 || target.group < 0) return;
    const groups = this.#arrangement[target.column]?.groups.length ?? 0;
    const own = key === "ArrowDown" && target.group >= groups;
    this.#change(move(this.#arrangement, pane, own ? { ...at, own: true } : target));
    document.getElementById(`tab-${pane}`)?.focus();
  }
}
