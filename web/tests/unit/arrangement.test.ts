import { expect, test } from "@playwright/test";
import { adopt, type Arrangement, find, isArrangement, move, resizeColumn, show, single } from "../../src/layout/arrangement.ts";

const two: Arrangement = [
  { size: 0.5, groups: [{ panes: ["a", "b"], shown: "a", size: 1 }] },
  { size: 0.5, groups: [{ panes: ["c"], shown: "c", size: 1 }] },
];

test("a pane is shown in its group", () => {
  expect(show(two, "b")[0]?.groups[0]?.shown).toBe("b");
});

test("a pane moves into a group, and its old group shows another pane", () => {
  const moved = move(two, "a", { column: 1, group: 0, own: false });
  expect(moved.map(({ groups }) => groups.map(({ panes, shown }) => [panes, shown]))).toEqual([[[["b"], "b"]], [[["c", "a"], "a"]]]);
});

test("the last pane of a column takes the column with it, and the others share the width", () => {
  const moved = move(two, "c", { column: 0, group: 0, own: true });
  expect(moved).toHaveLength(1);
  expect(moved[0]?.size).toBe(1);
  expect(moved[0]?.groups.map(({ panes }) => panes)).toEqual([["a", "b"], ["c"]]);
});

test("a pane that moves past the last column gets a column", () => {
  expect(move(two, "b", { column: 2, group: 0, own: false })).toHaveLength(3);
  expect(find(move(two, "b", { column: 2, group: 0, own: false }), "b")).toEqual({ column: 2, group: 0 });
});

test("a border stops before a column vanishes", () => {
  const sizes = resizeColumn(two, 0, 5).map(({ size }) => size);
  expect(sizes[1]).toBeCloseTo(0.08);
  expect(sizes[0]).toBeCloseTo(0.92);
});

test("a stored arrangement loses unknown panes and gets new ones", () => {
  const adopted = adopt([{ size: 3, groups: [{ panes: ["gone", "a"], shown: "gone", size: 2 }] }], ["a", "new"]);
  expect(adopted).toEqual([{ size: 1, groups: [{ panes: ["a", "new"], shown: "a", size: 1 }] }]);
});

test("narrow windows have one group", () => {
  expect(single(two, "c")[0]?.groups[0]).toEqual({ panes: ["a", "b", "c"], shown: "c", size: 1 });
});

test("other values from storage are no arrangement", () => {
  expect(isArrangement(two)).toBe(true);
  for (const value of [null, [], {}, [{ size: 1 }], [{ size: 0, groups: [] }], [{ size: 1, groups: [{ panes: [1], shown: "", size: 1 }] }]]) {
    expect(isArrangement(value)).toBe(false);
  }
});
