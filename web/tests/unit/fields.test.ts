import { expect, test } from "@playwright/test";
import type { Field } from "shisa";
import { colours, runsOf } from "../../src/model/fields.ts";

const FIELDS: readonly Field[] = [
  { lo: 0, width: 4, what: "operand 2, source: register" },
  { lo: 6, width: 2, what: "operand 1, destination: register" },
  { lo: 8, width: 1, what: "operand 2, source: sign" },
  { lo: 9, width: 7, what: "0x13" },
].map((field) => ({ ...field, bits: "", value: "0x0" }));

test("parts of an operand have one colour, and fixed bits have their own", () => {
  expect(colours(FIELDS)).toEqual([1, 2, 1, 0]);
});

test("bits are in runs from the highest to the lowest", () => {
  expect(runsOf(FIELDS, 0, 8)).toEqual([{ field: 1, width: 2 }, { field: -1, width: 2 }, { field: 0, width: 4 }]);
  expect(runsOf(FIELDS, 8, 8)).toEqual([{ field: 3, width: 7 }, { field: 2, width: 1 }]);
  expect(runsOf([], 0, 8)).toEqual([{ field: -1, width: 8 }]);
});
