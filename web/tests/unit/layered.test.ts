import { expect, test } from "@playwright/test";
import { type Box, layOut } from "../../src/model/layered.ts";

function box(...to: number[]): Box {
  return { width: 100, height: 40, to };
}

test("blocks are below those before them, and the edge of a loop goes back", () => {
  const drawing = layOut([box(1), box(2, 3), box(1), box()]);
  const y = drawing.boxes.map((point) => point.y);
  expect(y[0]).toBeLessThan(y[1] ?? 0);
  expect(y[1]).toBeLessThan(y[2] ?? 0);
  expect(drawing.edges.map((edges) => edges.map(({ isBack }) => isBack))).toEqual([[false], [false, false], [true], []]);
});

test("blocks of a row do not overlap", () => {
  const drawing = layOut([box(1, 2, 3, 4), box(5), box(5), box(5), box(5), box()]);
  const row = drawing.boxes.slice(1, 5).sort((a, b) => a.x - b.x);
  for (let index = 1; index < row.length; index++) expect((row[index]?.x ?? 0) - (row[index - 1]?.x ?? 0)).toBeGreaterThanOrEqual(100);
});

test("random graphs have finite drawings inside of their size", () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    return seed % below;
  };
  for (let round = 0; round < 200; round++) {
    const count = 1 + random(30);
    const boxes = Array.from({ length: count }, () => ({
      width: 20 + random(200), height: 10 + random(100), to: Array.from({ length: random(4) }, () => random(count)),
    }));
    const drawing = layOut(boxes);
    const isInside = drawing.boxes.every(({ x, y }, index) =>
      x >= -0.001 && y >= 0 && x + (boxes[index]?.width ?? 0) <= drawing.width && y + (boxes[index]?.height ?? 0) <= drawing.height);
    expect(isInside).toBe(true);
    expect(drawing.edges.flat().flatMap(({ points }) => points).every(({ x, y }) => Number.isFinite(x + y))).toBe(true);
  }
});
