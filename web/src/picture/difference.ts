/** How two pictures differ. */
export interface Difference {
  /** The largest difference of a component of a colour, from 0 to 255. */
  readonly largest: number;
  /** Pixels with a component that differs. */
  readonly pixels: number;
}

/** Compares red, green and blue of the pixels of two pictures. Alpha is not compared: `preview` makes it opaque. */
export function compare(left: Uint8Array, right: Uint8Array): Difference {
  let largest = 0;
  let pixels = 0;
  for (let at = 0; at + 3 < left.length; at += 4) {
    let most = 0;
    for (let n = 0; n < 3; n++) most = Math.max(most, Math.abs((left[at + n] ?? 0) - (right[at + n] ?? 0)));
    if (most > 0) pixels++;
    largest = Math.max(largest, most);
  }
  return { largest, pixels };
}
