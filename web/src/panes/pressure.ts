/** How many registers a text such as `r1..r4, ft0.xy` names. */
export function registersIn(text: string): number {
  const names = text.split(/[\s,]+/).filter((name) => name !== "");
  return names.reduce((sum, name) => sum + registersOf(name), 0);
}

function registersOf(name: string): number {
  const range = /(\d+)[hl]?\.\.[A-Za-z]*(\d+)/.exec(name);
  return range === null ? 1 : Number(range[2]) - Number(range[1]) + 1;
}
