import { referTo } from "../engine/engine.ts";
import { later } from "../model/later.ts";
import { instructionAt } from "../model/lines.ts";
import { hex } from "../model/text.ts";
import type { Workbench } from "../model/workbench.ts";
import { h } from "../ui/dom.ts";
import { FieldsView } from "./fields.ts";

/** Bytes of a row. */
const ROW = 8;

/** The height of a row in pixels; `--hex-row` of the style sheet is the same. */
const HEIGHT = 18;

/** Milliseconds that an instruction is highlighted before its fields are requested. */
const PAUSE = 30;

/** Rows that are drawn above and below those in view. */
const MARGIN = 8;

const NONE = new Uint8Array();

/**
 * The bytes of the file: those of each instruction belong together, and those of the highlighted one have the colours of its
 * fields. Only the rows in view are drawn.
 */
export class HexView {
  readonly #bench: Workbench;
  readonly #rows = h("div", { class: "hex-rows" });
  readonly #scroller = h("div", { class: "hex", tabIndex: 0, attributes: { role: "group", "aria-label": "Bytes" } }, this.#rows);
  readonly #detail = h("div", { class: "hex-detail", attributes: { "aria-live": "polite" } });
  readonly #fields = new FieldsView((fields) => this.#mark(fields));
  readonly element = h("div", { class: "hex-view" }, this.#scroller, this.#detail, this.#fields.element);
  readonly #requestSoon = later(PAUSE, () => void this.#request());
  /** The fields under the pointer. */
  #marked: ReadonlySet<number> = new Set();
  #bytes: Uint8Array = NONE;
  #queued = false;

  constructor(bench: Workbench) {
    this.#bench = bench;
    this.#scroller.addEventListener("scroll", () => this.draw());
    this.#rows.addEventListener("mouseover", (event) => this.#point(event, false));
    this.#rows.addEventListener("mouseleave", () => this.#mark(new Set()));
    this.#rows.addEventListener("click", (event) => this.#point(event, true));
    new ResizeObserver(() => this.draw()).observe(this.#scroller);
    bench.store.on(["doc", "listing"], () => this.#take());
    bench.store.on(["spot", "listing"], () => {
      this.#fields.forget();
      this.#requestSoon();
    });
    bench.store.on(["spot"], ({ spot, listing }) => {
      if (spot !== null && spot.reveal && spot.from !== "hex") this.#reveal(listing?.offsets[spot.instruction] ?? 0);
      this.draw();
    });
    this.#take();
  }

  /** Draws the rows in view in the next frame. */
  draw(): void {
    if (this.#queued) return;
    this.#queued = true;
    requestAnimationFrame(() => {
      this.#queued = false;
      this.#draw();
    });
  }

  #take(): void {
    const { doc, listing } = this.#bench.store.state;
    // The bytes of a source are those of the program that it was assembled to.
    const bytes = (doc?.text === undefined ? doc?.bytes : listing?.bytes) ?? NONE;
    if (bytes === this.#bytes) return;
    this.#bytes = bytes;
    this.#rows.style.height = `${Math.ceil(this.#bytes.length / ROW) * HEIGHT}px`;
    this.draw();
  }

  #draw(): void {
    const { spot, listing } = this.#bench.store.state;
    const first = Math.max(0, Math.floor(this.#scroller.scrollTop / HEIGHT) - MARGIN);
    const last = Math.ceil((this.#scroller.scrollTop + this.#scroller.clientHeight) / HEIGHT) + MARGIN;
    const rows: HTMLElement[] = [];
    for (let row = first; row < last && row * ROW < this.#bytes.length; row++) {
      const start = row * ROW;
      const cells = h("span", { class: "hex-bytes" });
      let text = "";
      for (let offset = start; offset < start + ROW && offset < this.#bytes.length; offset++) {
        const byte = this.#bytes[offset] ?? 0;
        const instruction = listing === null ? -1 : instructionAt(listing.offsets, listing.sizes, offset);
        const state = instruction < 0 ? "" : instruction === spot?.instruction ? "linked" : instruction % 2 === 0 ? "even" : "odd";
        const cell = h("i", { class: state, data: { offset: String(offset) } }, hex(byte, 2));
        if (state === "linked") this.#colour(cell, offset - (listing?.offsets[instruction] ?? 0));
        cells.append(cell);
        text += byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "·";
      }
      const line = h("div", { class: "hex-row" }, h("span", { class: "hex-offset" }, hex(start, 6)), cells, h("span", { class: "hex-text" }, text));
      line.style.top = `${row * HEIGHT}px`;
      rows.push(line);
    }
    this.#rows.replaceChildren(...rows);
    this.#describe();
  }

  /** Gives a byte of the highlighted instruction the colours of its fields. */
  #colour(cell: HTMLElement, byte: number): void {
    const background = this.#fields.background(byte);
    if (background === "") return;
    cell.style.background = background;
    cell.classList.add("coloured");
    if ([...this.#fields.inByte(byte)].some((field) => this.#marked.has(field))) cell.classList.add("marked");
  }

  /** Shows the fields of the highlighted instruction. */
  async #request(): Promise<void> {
    const { store, engine } = this.#bench;
    const { spot, subject, listing } = store.state;
    const offset = spot === null ? undefined : listing?.offsets[spot.instruction];
    if (this.element.offsetParent === null) return;
    if (spot === null || subject === null || listing === null || offset === undefined) {
      this.#fields.show([], 0);
      return;
    }
    const fields = await engine.request(engine.edit, "fields", { ...referTo(subject), offset }, { docs: [subject.doc] }).catch(() => []);
    if (store.state.spot !== spot || store.state.listing !== listing) return;
    this.#fields.show(fields, listing.sizes[spot.instruction] ?? 0);
    // The bytes have less room than before.
    if (spot.reveal && spot.from !== "hex") this.#reveal(offset);
    this.draw();
  }

  /** Highlights fields, and the bytes that have bits of them. */
  #mark(fields: ReadonlySet<number>): void {
    if (fields.size === this.#marked.size && [...fields].every((field) => this.#marked.has(field))) return;
    this.#marked = fields;
    this.#fields.mark(fields);
    this.draw();
  }

  /** The offsets and the size of the highlighted instruction. */
  #describe(): void {
    const { spot, listing } = this.#bench.store.state;
    const offset = spot === null ? undefined : listing?.offsets[spot.instruction];
    if (spot === null || listing === null || offset === undefined) {
      this.#detail.textContent = `${this.#bytes.length} bytes`;
      return;
    }
    const size = listing.sizes[spot.instruction] ?? 0;
    this.#detail.textContent = `0x${hex(offset, 4)} to 0x${hex(offset + size - 1, 4)}: instruction ${spot.instruction}, ${size} bytes`;
  }

  #reveal(offset: number): void {
    const top = Math.floor(offset / ROW) * HEIGHT;
    const { scrollTop, clientHeight } = this.#scroller;
    if (top < scrollTop || top > scrollTop + clientHeight - HEIGHT * 2) this.#scroller.scrollTop = Math.max(0, top - clientHeight / 3);
  }

  #point(event: MouseEvent, reveal: boolean): void {
    const { listing } = this.#bench.store.state;
    const offset = (event.target as HTMLElement).dataset.offset;
    if (listing === null || offset === undefined) return;
    const instruction = instructionAt(listing.offsets, listing.sizes, Number(offset));
    const isLinked = instruction >= 0 && instruction === this.#bench.store.state.spot?.instruction;
    this.#mark(isLinked ? this.#fields.inByte(Number(offset) - (listing.offsets[instruction] ?? 0)) : new Set());
    this.#bench.point(instruction < 0 ? null : { instruction, from: "hex", reveal });
  }
}
