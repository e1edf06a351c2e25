import { h, svg } from "./dom.ts";

const SMALLEST = 0.05;
const LARGEST = 4;
const KEY_STEP = 60;

/** A drawing that can be moved and zoomed by pointer, wheel and keys. */
export class ZoomView {
  readonly #content = svg("g");
  readonly #picture = svg("svg", { class: "drawing" }, arrows(), this.#content);
  readonly element: HTMLElement;
  #scale = 1;
  #x = 0;
  #y = 0;
  #width = 1;
  #height = 1;

  constructor(label: string) {
    this.element = h("div", { class: "zoom", tabIndex: 0, attributes: { role: "group", "aria-label": `${label}; arrow keys move it, + and - zoom` } });
    this.element.append(this.#picture);
    this.element.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    this.element.addEventListener("pointerdown", (event) => this.#drag(event));
    this.element.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Replaces the drawing, and fits it. */
  draw(parts: readonly SVGElement[], width: number, height: number): void {
    this.#content.replaceChildren(...parts);
    this.#width = width;
    this.#height = height;
    this.fit();
  }

  /** Shows the whole drawing, at most in its own size. */
  fit(): void {
    const { clientWidth, clientHeight } = this.element;
    if (clientWidth === 0) return;
    this.#scale = Math.max(SMALLEST, Math.min(1, clientWidth / this.#width, clientHeight / this.#height));
    // A tall graph is read from its top; smaller text than this cannot be read.
    if (this.#scale < 0.5) this.#scale = Math.min(0.8, Math.max(0.5, clientWidth / this.#width));
    this.#x = (clientWidth - this.#width * this.#scale) / 2;
    this.#y = Math.max(0, (clientHeight - this.#height * this.#scale) / 2);
    this.#apply();
  }

  zoom(factor: number, x = this.element.clientWidth / 2, y = this.element.clientHeight / 2): void {
    const scale = Math.min(LARGEST, Math.max(SMALLEST, this.#scale * factor));
    this.#x = x - ((x - this.#x) * scale) / this.#scale;
    this.#y = y - ((y - this.#y) * scale) / this.#scale;
    this.#scale = scale;
    this.#apply();
  }

  /** Moves the drawing so that an element of it can be seen. */
  reveal(element: SVGElement): void {
    const frame = this.element.getBoundingClientRect();
    const box = element.getBoundingClientRect();
    if (box.top >= frame.top && box.bottom <= frame.bottom && box.left >= frame.left && box.right <= frame.right) return;
    this.#x += frame.left + frame.width / 2 - (box.left + box.width / 2);
    this.#y += frame.top + frame.height / 3 - box.top;
    this.#apply();
  }

  #apply(): void {
    this.#content.setAttribute("transform", `translate(${this.#x} ${this.#y}) scale(${this.#scale})`);
  }

  #wheel(event: WheelEvent): void {
    event.preventDefault();
    if (event.ctrlKey || event.metaKey) {
      const { left, top } = this.element.getBoundingClientRect();
      this.zoom(Math.exp(-event.deltaY / 300), event.clientX - left, event.clientY - top);
      return;
    }
    this.#x -= event.deltaX;
    this.#y -= event.deltaY;
    this.#apply();
  }

  #drag(down: PointerEvent): void {
    if (down.button !== 0) return;
    let last = down;
    const move = (event: PointerEvent) => {
      this.#x += event.clientX - last.clientX;
      this.#y += event.clientY - last.clientY;
      last = event;
      this.#apply();
    };
    const end = () => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  }

  #key(event: KeyboardEvent): void {
    const moves: Record<string, readonly [number, number]> = {
      ArrowLeft: [KEY_STEP, 0], ArrowRight: [-KEY_STEP, 0], ArrowUp: [0, KEY_STEP], ArrowDown: [0, -KEY_STEP],
    };
    const by = moves[event.key];
    if (by !== undefined) {
      this.#x += by[0];
      this.#y += by[1];
      this.#apply();
    } else if (event.key === "+") this.zoom(1.25);
    else if (event.key === "-") this.zoom(0.8);
    else if (event.key === "0") this.fit();
    else return;
    event.preventDefault();
  }
}

/** The heads of arrows for the kinds of edges. */
function arrows(): SVGElement {
  const heads = ["yes", "no", "always"].map((kind) =>
    svg("marker", { id: `arrow-${kind}`, class: `arrow ${kind}`, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" },
      svg("path", { d: "M0 0L8 4L0 8z" })));
  return svg("defs", {}, ...heads);
}
