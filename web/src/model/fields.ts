import type { Field } from "shisa";

/** How many colours fields have, apart from that of fixed bits. `theme.css` has them. */
export const COLOURS = 6;

/** The number of the colour of each field: 0 for fixed bits, else from 1, the same for all parts of an operand or a modifier. */
export function colours(fields: readonly Field[]): number[] {
  const owners = new Map<string, number>();
  return fields.map(({ what }) => {
    if (what.startsWith("0x")) return 0;
    const owner = /^[^,:]*/.exec(what)?.[0] ?? what;
    const number = owners.get(owner) ?? owners.size;
    owners.set(owner, number);
    return 1 + (number % COLOURS);
  });
}

/** Neighbouring bits of one field, or of none: then it is -1. */
export interface Run {
  readonly field: number;
  readonly width: number;
}

/** The runs of `width` bits from `lo` up, the highest first, as words are written. */
export function runsOf(fields: readonly Field[], lo: number, width: number): Run[] {
  const runs: { field: number; width: number }[] = [];
  for (let bit = lo + width - 1; bit >= lo; bit--) {
    const field = fields.findIndex((each) => each.lo <= bit && bit < each.lo + each.width);
    const last = runs.at(-1);
    if (last !== undefined && last.field === field) last.width++;
    else runs.push({ field, width: 1 });
  }
  return runs;
}
