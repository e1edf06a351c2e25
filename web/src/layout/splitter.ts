import { h } from "../ui/dom.ts";

const KEY_STEP = 0.02;

/** A border that the pointer or the arrow keys move. `moved` gets each change as a share of the parent's size. */
export function splitter(direction: "row" | "column", moved: (by: number) => void): HTMLElement {
  const along = direction === "row" ? "clientX" : "clientY";
  const element = h("div", {
    class: `splitter ${direction}`,
    tabIndex: 0,
    attributes: {
      role: "separator",
      "aria-orientation": direction === "row" ? "vertical" : "horizontal",
      "aria-label": direction === "row" ? "Width of the columns" : "Height of the panes",
      "aria-valuenow": "50",
    },
  });
  element.addEventListener("pointerdown", (down) => {
    element.setPointerCapture(down.pointerId);
    let last = down[along];
    const parent = element.parentElement?.getBoundingClientRect();
    const whole = (direction === "row" ? parent?.width : parent?.height) ?? 1;
    const move = (event: PointerEvent) => {
      moved((event[along] - last) / whole);
      last = event[along];
    };
    element.addEventListener("pointermove", move);
    element.addEventListener("pointerup", () => element.removeEventListener("pointermove", move), { once: true });
  });
  element.addEventListener("keydown", (event) => {
    const [less, more] = direction === "row" ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
    if (event.key !== less && event.key !== more) return;
    event.preventDefault();
    moved(event.key === more ? KEY_STEP : -KEY_STEP);
  });
  return element;
}
