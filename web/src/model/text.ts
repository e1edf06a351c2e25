const CONTROL = /[\u0000-\u0008\u000e-\u001f]/;

/** The text that the bytes are in UTF-8; undefined if they are no text. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return CONTROL.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Converts byte offsets of a text in UTF-8, which diagnostics have, to offsets in UTF-16. */
export function offsetInText(text: string, byte: number): number {
  let bytes = 0;
  let index = 0;
  while (index < text.length && bytes < byte) {
    const point = text.codePointAt(index) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    index += point < 0x10000 ? 1 : 2;
  }
  return index;
}

/** A number as lower-case hex with at least `digits` digits. */
export function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}
