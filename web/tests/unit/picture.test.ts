import { expect, test } from "@playwright/test";
import { constantsOf } from "../../src/picture/constants.ts";
import { compare } from "../../src/picture/difference.ts";
import { vertexCode } from "../../src/picture/gpu.ts";
import { levels, pattern } from "../../src/picture/pattern.ts";

test("the largest difference of red, green and blue, and the pixels that differ", () => {
  expect(compare(Uint8Array.of(0, 0, 0, 255, 9, 9, 9, 255), Uint8Array.of(0, 0, 0, 0, 9, 5, 10, 255))).toEqual({ largest: 4, pixels: 1 });
});

test("the pattern shows its coordinates, and has all levels", () => {
  const { width, rgba } = pattern();
  expect([...rgba.subarray(0, 4)]).toEqual([0, 0, 192, 255]);
  expect([...rgba.subarray(rgba.length - 4)]).toEqual([255, 255, 192, 255]);
  expect(levels(pattern()).map((level) => level.width)).toEqual([width, 32, 16, 8, 4, 2, 1]);
});

test("constants: vectors of floats, components of integers, and banks", () => {
  const reflection = {
    uniforms: [
      { name: "fc", registers: 2, size: 32, used: [1], scalar: "f32", group: 1, binding: 0 },
      { name: "u", registers: 1, size: 16, used: [2], scalar: "i32", group: 1, binding: 1 },
    ],
    memory: [{ name: "c3", kind: "uniform", size: 32, group: 3, binding: 4 }, { name: "global", kind: "storage", size: null, group: 3, binding: 0 }],
  } as unknown as Parameters<typeof constantsOf>[0];
  expect(constantsOf(reflection).map(({ name, offset }) => [name, offset])).toEqual([["fc1", 16], ["u2", 8], ["c[0x3][0x0]", 0], ["c[0x3][0x10]", 16]]);
});

test("the vertex program writes the inputs of the fragment program", () => {
  const input = { name: "v1", kind: "location", location: 1, scalar: "f32" as const, components: 2, used: "xy" };
  const code = vertexCode([input, { ...input, kind: "position", location: null }]);
  expect(code).toContain("@location(1) input1: vec2<f32>");
  expect(code).toContain("vec4<f32>(at, 0.0, 1.0).xy");
});
