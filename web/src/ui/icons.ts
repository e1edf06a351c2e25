import { svg } from "./dom.ts";

/** The shapes of icons, in a square of 16 units. */
const SHAPES = {
  first: "M3 3h2v10H3zM13 3v10L6 8z",
  runBack: "M8 3v10L2 8zM14 3v10L8 8z",
  back: "M11 3v10L4 8z",
  step: "M5 3l7 5-7 5z",
  run: "M2 3l6 5-6 5zM8 3l6 5-6 5z",
  last: "M3 3l7 5-7 5zM11 3h2v10h-2z",
} as const;

export type Icon = keyof typeof SHAPES;

/** An icon in the colour of the text. */
export function icon(name: Icon): SVGElement {
  return svg("svg", { viewBox: "0 0 16 16", width: 16, height: 16, class: "sign", "aria-hidden": "true" }, svg("path", { d: SHAPES[name] }));
}
