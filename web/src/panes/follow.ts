import type { Diagnostic } from "shisa";
import { Cancelled, VerbError } from "../engine/protocol.ts";
import type { Listing, Subject } from "../model/state.ts";
import type { Workbench } from "../model/workbench.ts";
import { button, h } from "../ui/dom.ts";
import type { Pane } from "./pane.ts";

/** What a pane shows of a program. */
interface Following<Result> {
  readonly bench: Workbench;
  /** The buttons above the content. */
  readonly tools?: readonly Node[];
  readonly content: HTMLElement;
  request(subject: Subject, listing: Listing): Promise<Result>;
  show(result: Result, subject: Subject, listing: Listing): void;
}

/** A pane that requests its content anew when the program changes, and the call that requests it for other options. */
export function follow<Result>(following: Following<Result>): Pane & { refresh(): void } {
  const { bench, content } = following;
  const message = h("div", { class: "message", attributes: { role: "status" } });
  const element = h("div", { class: "pane" });
  if (following.tools !== undefined && following.tools.length > 0) {
    element.append(h("div", { class: "tools", attributes: { role: "toolbar", "aria-label": "Options" } }, ...following.tools));
  }
  element.append(message, content);
  let isVisible = false;
  let shown: Subject | null = null;
  let request = 0;

  async function refresh(): Promise<void> {
    const { subject, listing } = bench.store.state;
    if (!isVisible) {
      shown = null;
      return;
    }
    if (subject === null || listing === null) {
      element.classList.add("empty");
      return;
    }
    shown = subject;
    const mine = ++request;
    element.classList.add("waits");
    try {
      const result = await following.request(subject, listing);
      if (mine !== request) return;
      element.classList.remove("empty", "failed");
      message.replaceChildren();
      following.show(result, subject, listing);
    } catch (error) {
      if (mine !== request || error instanceof Cancelled) return;
      element.classList.add("failed");
      message.replaceChildren(...failure(bench, error));
    } finally {
      if (mine === request) element.classList.remove("waits");
    }
  }

  bench.store.on(["subject"], () => void refresh());
  return {
    element,
    refresh: () => void refresh(),
    visible(visible) {
      isVisible = visible;
      if (visible && shown !== bench.store.state.subject) void refresh();
    },
  };
}

/** The parts of a failure: its diagnostics, or its message if it has none. */
export function failure(bench: Workbench, error: unknown): Node[] {
  if (error instanceof VerbError && error.diagnostics.length > 0) return describe(bench, error.diagnostics);
  return [h("p", {}, error instanceof Error ? error.message : String(error))];
}

/** Each diagnostic with its notes, its help and a link to its explanation. */
export function describe(bench: Workbench, diagnostics: readonly Diagnostic[]): Node[] {
  return diagnostics.map((diagnostic) =>
    h("div", { class: `finding ${diagnostic.severity}` },
      h("p", {}, diagnostic.message),
      ...[...diagnostic.notes, ...diagnostic.help].map((note) => h("p", { class: "note" }, note)),
      button(diagnostic.code, () => bench.explain(diagnostic.code), { class: "link" })),
  );
}
