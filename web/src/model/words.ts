const buffer = new DataView(new ArrayBuffer(4));

const WORDS = /^[0-9a-f]{8}( [0-9a-f]{8})*$/;

/** Whether a string of a run's input or output is bit patterns of 32-bit words, such as `3f800000 00000000`. */
export function areWords(value: string): boolean {
  return WORDS.test(value);
}

/** The numbers in binary32 that have the bit patterns. */
export function floatsOf(words: string): number[] {
  return words.split(" ").map((word) => {
    buffer.setUint32(0, Number.parseInt(word, 16));
    return buffer.getFloat32(0);
  });
}

/** The bit pattern of a number in binary32. */
export function wordOf(value: number): string {
  buffer.setFloat32(0, value);
  return buffer.getUint32(0).toString(16).padStart(8, "0");
}

/** A binary32 number in the fewest digits that mean it. */
export function shortFloat(value: number): string {
  if (!Number.isFinite(value) || Number.isInteger(value)) return Object.is(value, -0) ? "-0" : String(value);
  for (let digits = 1; digits < 9; digits++) {
    const text = value.toPrecision(digits);
    if (Math.fround(Number(text)) === value) return String(Number(text));
  }
  return String(value);
}
