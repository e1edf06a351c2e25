import type { Workbench } from "../model/workbench.ts";
import { button, h } from "../ui/dom.ts";

/** The bar at the bottom: what happened last, and the running request with a button that cancels it. */
export function statusBar({ store, engine }: Workbench): HTMLElement {
  const text = h("span", { attributes: { role: "status" } });
  const job = h("span", { class: "job" });
  function draw(): void {
    const { status, job: running } = store.state;
    text.textContent = status;
    if (running === null) {
      job.replaceChildren();
      return;
    }
    const lane = [engine.edit, engine.work, engine.step].find(({ name }) => name === running.lane);
    job.replaceChildren(
      h("progress", { attributes: { "aria-label": running.title } }), ` ${running.title} `,
      button("Cancel", () => lane?.cancel(), { class: "link" }));
  }
  store.on(["status", "job"], draw);
  draw();
  return h("footer", { class: "status" }, text, job, h("span", { class: "end" }, "Nothing leaves this browser"));
}
