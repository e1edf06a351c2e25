/**
 * The lines of the intermediate representation, from 0, with the instruction that each came from: `@7` states the number of
 * an instruction, and lines without it have the number of the line before.
 */
export function irLines(text: string): (readonly [number, number])[] {
  const result: (readonly [number, number])[] = [];
  let instruction = 0;
  for (const [line, content] of text.split("\n").entries()) {
    const stated = /@(\d+)\b/.exec(content)?.[1];
    if (stated !== undefined) instruction = Number(stated);
    const isHead = /^\S/.test(content);
    if (content !== "" && (stated !== undefined || !isHead)) result.push([line, instruction]);
  }
  return result;
}
