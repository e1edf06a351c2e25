import type { Field } from "shisa";
import { colours, runsOf } from "../model/fields.ts";
import { h } from "../ui/dom.ts";

const BYTE = 8;

/** The fields of an instruction: its bits from the highest to the lowest, and below a line for each field. */
export class FieldsView {
  readonly #strip = h("div", { class: "strip", attributes: { "aria-hidden": "true" } });
  readonly #list = h("tbody");
  readonly element = h("div", { class: "fields", hidden: true, tabIndex: 0, attributes: { role: "group", "aria-label": "Fields of the instruction" } },
    this.#strip,
    h("table", {}, h("thead", {}, h("tr", {}, ...["bits", "field", "value"].map((text) => h("th", { scope: "col" }, text)))), this.#list));
  #fields: readonly Field[] = [];
  #colours: readonly number[] = [];

  /** `pointed` receives the fields under the pointer. */
  constructor(pointed: (fields: ReadonlySet<number>) => void) {
    const of = (event: Event) => (event.target as HTMLElement).closest<HTMLElement>("[data-field]")?.dataset.field;
    this.element.addEventListener("mouseover", (event) => {
      const field = of(event);
      pointed(new Set(field === undefined ? [] : [Number(field)]));
    });
    this.element.addEventListener("mouseleave", () => pointed(new Set()));
  }

  /** Shows the fields of an instruction of `size` bytes. */
  show(fields: readonly Field[], size: number): void {
    this.#fields = fields;
    this.#colours = colours(fields);
    this.element.hidden = fields.length === 0;
    this.#strip.replaceChildren(...runsOf(fields, 0, BYTE * size).map(({ field, width }) => {
      const value = fields[field]?.value;
      const part = h("span", { class: this.#class(field), ...(value === undefined ? {} : { data: { field: String(field) }, title: fields[field]?.what ?? "" }) },
        value !== undefined && value.length <= width + 2 ? value.slice(2) : "");
      part.style.flexGrow = String(width);
      return part;
    }));
    this.#list.replaceChildren(...fields.map(({ bits, what, value }, index) =>
      h("tr", { data: { field: String(index) } },
        h("td", {}, h("span", { class: `swatch ${this.#class(index)}` }), bits), h("td", {}, what), h("td", {}, value))));
  }

  /** Forgets the fields, which stay in view until others come, so that nothing jumps. */
  forget(): void {
    this.#fields = [];
  }

  /** Highlights fields. */
  mark(marked: ReadonlySet<number>): void {
    for (const element of this.element.querySelectorAll<HTMLElement>("[data-field]")) {
      element.classList.toggle("marked", marked.has(Number(element.dataset.field)));
    }
  }

  /** The fields with bits in a byte of the instruction. */
  inByte(byte: number): ReadonlySet<number> {
    return new Set(runsOf(this.#fields, BYTE * byte, BYTE).map(({ field }) => field).filter((field) => field >= 0));
  }

  /** The colours of a byte of the instruction as a background, from its highest bit to its lowest; empty without fields. */
  background(byte: number): string {
    if (this.#fields.length === 0) return "";
    let end = 0;
    const stops = runsOf(this.#fields, BYTE * byte, BYTE).map(({ field, width }) => {
      const start = end;
      end += (100 / BYTE) * width;
      return `var(--field-${field < 0 ? "none" : this.#colours[field]}) ${start}% ${end}%`;
    });
    return `linear-gradient(to right, ${stops.join(", ")})`;
  }

  #class(field: number): string {
    return field < 0 ? "field-none" : `field-${this.#colours[field]}`;
  }
}
