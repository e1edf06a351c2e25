import { expect, test } from "@playwright/test";
import { irLines } from "../../src/editor/irLines.ts";
import { instructionAt, instructionsByLine, matchLines, mnemonic } from "../../src/model/lines.ts";

test("the mnemonic of a line has neither guard nor modifiers", () => {
  expect(mnemonic("    @!P0 FFMA.SAT R4, R2, -4, R3 ;   {3f:-:-:-:f}")).toBe("ffma");
  expect(mnemonic("mul ft0, v0, fc0 // tint")).toBe("mul");
  for (const line of ["", "L_0016:", ".proc main", "// mov", "; dp4 r0", "    "]) expect(mnemonic(line)).toBeNull();
});

test("each instruction has its line; labels, comments and directives have none", () => {
  const source = "// agx\n.code \"\"\n  mov r1, 0\nL_4:\n  iadd r2, r1, 1\n  stop\n";
  expect([...matchLines(source, ["mov r1, 0", "iadd r2, r1, 1", "stop"])]).toEqual([2, 4, 5]);
});

test("instructions that the text does not have are skipped", () => {
  expect([...matchLines("stop\n", ["trap", "stop", null])]).toEqual([-1, 0, -1]);
});

test("an offset belongs to the instruction whose bytes contain it", () => {
  const offsets = Uint32Array.of(8, 16, 32);
  const sizes = Uint8Array.of(8, 8, 4);
  expect([0, 8, 15, 16, 23, 24, 32, 35, 36].map((offset) => instructionAt(offsets, sizes, offset))).toEqual([-1, 0, 0, 1, 1, -1, 2, 2, -1]);
});

test("lines without an instruction have the number -1", () => {
  expect([...instructionsByLine(Int32Array.of(3, -1, 5))]).toEqual([-1, -1, -1, 0, -1, 2]);
});

test("lines of the intermediate representation belong to the instruction that was stated last", () => {
  const text = "b0:\n  %0: f32 = read fc:4 zzzz\n  %3: f32 = const 0x0 @1 ; 0.0\n  %4: i1 = flt %2 %3\nb2(%23: f32x4 @11):\n  exit\n";
  expect(irLines(text)).toEqual([[1, 0], [2, 1], [3, 1], [4, 11], [5, 11]]);
});
