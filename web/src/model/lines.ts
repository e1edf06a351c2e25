const COMMENT = /\/\/.*$|(?:^|\s);.*$|#.*$/;

/** The mnemonic of a line in lower case, without guard and modifiers; null for a line that has no instruction. */
export function mnemonic(line: string): string | null {
  const code = line.replace(COMMENT, "").trim();
  if (code === "" || code.startsWith(".") || code.endsWith(":")) return null;
  const word = /^(?:[{]\s*)?(?:@!?\w+\s+)?([A-Za-z_]\w*)/.exec(code)?.[1];
  return word === undefined ? null : word.toLowerCase();
}

/** How many instructions without a line may come before the instruction of a line, such as padding. */
const MISSING = 4;

/**
 * The line of each instruction, from 0, or -1. `texts` are the instructions as the listing prints them; `source` may have
 * comments, labels and directives between them.
 */
export function matchLines(source: string, texts: readonly (string | null)[]): Int32Array {
  const lines = new Int32Array(texts.length).fill(-1);
  const expected = texts.map((text) => (text === null ? null : mnemonic(text)));
  let next = 0;
  let start = 0;
  for (let number = 0; start <= source.length && next < texts.length; number++) {
    let end = source.indexOf("\n", start);
    if (end < 0) end = source.length;
    const found = mnemonic(source.slice(start, end));
    start = end + 1;
    if (found === null) continue;
    for (let skip = 0; skip <= MISSING && next + skip < texts.length; skip++) {
      if (expected[next + skip] === found) {
        next += skip;
        lines[next++] = number;
        break;
      }
    }
  }
  return lines;
}

/** The number of the instruction whose bytes contain `offset`; -1 if there is none. `offsets` are in ascending order. */
export function instructionAt(offsets: Uint32Array, sizes: Uint8Array, offset: number): number {
  let low = 0;
  let high = offsets.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((offsets[middle] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  const index = low - 1;
  return index >= 0 && offset < (offsets[index] ?? 0) + (sizes[index] ?? 0) ? index : -1;
}

/** The number of the instruction of each line, up to the last line that has one; -1 for lines without one. */
export function instructionsByLine(lines: Int32Array): Int32Array {
  const result = new Int32Array(lines.reduce((last, line) => Math.max(last, line), -1) + 1).fill(-1);
  for (const [instruction, line] of lines.entries()) if (line >= 0) result[line] = instruction;
  return result;
}
