import type { Workbench } from "../model/workbench.ts";

/** A pane on the page. */
export interface Pane {
  readonly element: HTMLElement;
  /** Called when the pane is shown or hidden. A hidden pane makes no requests. */
  visible(visible: boolean): void;
}

/** A pane that can be shown; its code is loaded when it is shown for the first time. */
export interface PaneKind {
  readonly id: string;
  readonly title: string;
  /** A sentence on what the pane shows. */
  readonly hint: string;
  load(): Promise<(bench: Workbench) => Pane>;
}
