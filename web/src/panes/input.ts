import type { RunInput } from "shisa";
import type { Workbench } from "../model/workbench.ts";
import { button, h } from "../ui/dom.ts";
import { form } from "../ui/form.ts";

/** The input of runs: a form, or its JSON. */
export class InputForm {
  readonly element = h("div", { class: "input" });
  readonly #bench: Workbench;
  #isJson = false;
  #error = h("p", { class: "error", attributes: { role: "alert" } });

  constructor(bench: Workbench) {
    this.#bench = bench;
  }

  draw(input: RunInput): void {
    const swap = button(this.#isJson ? "Edit as a form" : "Edit as JSON", () => {
      this.#isJson = !this.#isJson;
      this.draw(this.#bench.store.state.input ?? input);
    }, { class: "link" });
    this.#error.textContent = "";
    this.element.replaceChildren(swap, this.#isJson ? this.#json(input) : form("", input, (next) => this.#bench.setInput(next as RunInput)), this.#error);
  }

  #json(input: RunInput): HTMLElement {
    const area = h("textarea", {
      value: JSON.stringify(input, null, 2), rows: 12, spellcheck: false, attributes: { "aria-label": "Input as JSON" },
      on: {
        change: () => {
          try {
            this.#bench.setInput(JSON.parse(area.value) as RunInput);
            this.#error.textContent = "";
          } catch (error) {
            this.#error.textContent = `the input is no JSON: ${error instanceof Error ? error.message : String(error)}`;
          }
        },
      },
    });
    return area;
  }
}
