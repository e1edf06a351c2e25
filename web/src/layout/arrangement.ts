/** Panes that share an area; one of them is shown. */
export interface Group {
  readonly panes: readonly string[];
  readonly shown: string;
  /** The share of the column's height. */
  readonly size: number;
}

/** Groups below each other. */
export interface Column {
  readonly groups: readonly Group[];
  /** The share of the width. */
  readonly size: number;
}

export type Arrangement = readonly Column[];

/** The smallest share that a splitter leaves. */
const SMALLEST = 0.08;

/** Where a pane goes: a group of its own after `group`, or into that group. */
export interface Target {
  readonly column: number;
  readonly group: number;
  readonly own: boolean;
}

function group(...panes: string[]): Group {
  return { panes, shown: panes[0] ?? "", size: 1 };
}

/** Where a pane is. */
export function find(arrangement: Arrangement, pane: string): { column: number; group: number } | undefined {
  for (const [column, { groups }] of arrangement.entries()) {
    const index = groups.findIndex(({ panes }) => panes.includes(pane));
    if (index >= 0) return { column, group: index };
  }
  return undefined;
}

/** Shows a pane in its group. */
export function show(arrangement: Arrangement, pane: string): Arrangement {
  return arrangement.map((column) => ({
    ...column,
    groups: column.groups.map((each) => (each.panes.includes(pane) ? { ...each, shown: pane } : each)),
  }));
}

/** Moves a pane. A column past the last one is a new column; groups and columns that become empty vanish. */
export function move(arrangement: Arrangement, pane: string, target: Target): Arrangement {
  const columns = arrangement.map((column) => ({ ...column, groups: column.groups.map((each) => without(each, pane)) }));
  const column = columns[target.column];
  if (column === undefined) {
    const share = 1 / (columns.length + 1);
    return tidy([...columns, { groups: [group(pane)], size: share }]);
  }
  const into = column.groups[target.group];
  if (target.own || into === undefined) column.groups.splice(target.group + 1, 0, { ...group(pane), size: into?.size ?? 1 });
  else column.groups[target.group] = { ...into, panes: [...into.panes, pane], shown: pane };
  return tidy(columns);
}

/** Moves the border after a column by a share of the whole width. */
export function resizeColumn(arrangement: Arrangement, index: number, by: number): Arrangement {
  return balance(arrangement, index, by);
}

/** Moves the border below a group by a share of the column's height. */
export function resizeGroup(arrangement: Arrangement, column: number, index: number, by: number): Arrangement {
  return arrangement.map((each, number) =>
    number === column ? { ...each, groups: balance(each.groups, index, by) } : each,
  );
}

/** Takes an arrangement from storage: panes that no longer exist vanish, new ones join the last group. */
export function adopt(stored: Arrangement, panes: readonly string[]): Arrangement {
  const known = stored.map((column) => ({
    ...column,
    groups: column.groups.map((each) => ({ ...each, panes: each.panes.filter((pane) => panes.includes(pane)) })),
  }));
  const missing = panes.filter((pane) => find(known, pane) === undefined);
  const last = known.at(-1)?.groups.at(-1);
  if (last !== undefined) last.panes = [...last.panes, ...missing];
  return tidy(known);
}

/** All panes in one group, for narrow windows. */
export function single(arrangement: Arrangement, shown: string): Arrangement {
  const panes = arrangement.flatMap(({ groups }) => groups.flatMap((each) => each.panes));
  return [{ groups: [{ panes, shown: panes.includes(shown) ? shown : (panes[0] ?? ""), size: 1 }], size: 1 }];
}

/** Whether a value from storage has the form of an arrangement. */
export function isArrangement(value: unknown): value is Arrangement {
  return (
    Array.isArray(value) && value.length > 0 &&
    value.every(({ groups, size }) =>
      isShare(size) && Array.isArray(groups) && groups.length > 0 &&
      groups.every((each: Partial<Group>) =>
        isShare(each.size) && typeof each.shown === "string" && Array.isArray(each.panes) &&
        each.panes.every((pane) => typeof pane === "string"),
      ),
    )
  );
}

function isShare(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && value > 0;
}

function without(each: Group, pane: string): Group {
  const at = each.panes.indexOf(pane);
  if (at < 0) return each;
  const panes = each.panes.filter((other) => other !== pane);
  const shown = each.shown === pane ? (panes[Math.min(at, panes.length - 1)] ?? "") : each.shown;
  return { ...each, panes, shown };
}

function tidy(columns: readonly Column[]): Arrangement {
  const filled = columns
    .map((column) => ({ ...column, groups: shares(column.groups.filter(({ panes }) => panes.length > 0).map(consistent)) }))
    .filter(({ groups }) => groups.length > 0);
  return shares(filled);
}

function consistent(each: Group): Group {
  return each.panes.includes(each.shown) ? each : { ...each, shown: each.panes[0] ?? "" };
}

/** Scales sizes so that their sum is 1. */
function shares<Sized extends { readonly size: number }>(items: readonly Sized[]): Sized[] {
  const sum = items.reduce((total, { size }) => total + size, 0);
  return items.map((item) => ({ ...item, size: item.size / sum }));
}

function balance<Sized extends { readonly size: number }>(items: readonly Sized[], index: number, by: number): Sized[] {
  const before = items[index];
  const after = items[index + 1];
  if (before === undefined || after === undefined) return [...items];
  const step = Math.min(Math.max(by, SMALLEST - before.size), after.size - SMALLEST);
  return items.map((item, number) =>
    number === index ? { ...item, size: item.size + step } : number === index + 1 ? { ...item, size: item.size - step } : item,
  );
}
