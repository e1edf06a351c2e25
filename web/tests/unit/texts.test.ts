import { expect, test } from "@playwright/test";
import { decodeText, offsetInText } from "../../src/model/text.ts";
import { areWords, floatsOf, shortFloat, wordOf } from "../../src/model/words.ts";
import { parseHex } from "../../src/open/hexText.ts";
import { registersIn } from "../../src/panes/pressure.ts";

test("hex has pairs of digits with separators", () => {
  expect(parseHex("a0 01 00 00\n00 a1 00")).toEqual(Uint8Array.of(0xa0, 1, 0, 0, 0, 0xa1, 0));
  expect(parseHex("0xdeadbeef, 0x00000001")).toEqual(Uint8Array.of(0xde, 0xad, 0xbe, 0xef, 0, 0, 0, 1));
  for (const text of ["", "add", "abc", "deadbee", "mov oc, v0", "a0 0"]) expect(parseHex(text)).toBeUndefined();
});

test("bytes with control characters or without UTF-8 are no text", () => {
  expect(decodeText(new TextEncoder().encode("mov ft0, v0\n// é"))).toBe("mov ft0, v0\n// é");
  expect(decodeText(Uint8Array.of(0x6d, 0))).toBeUndefined();
  expect(decodeText(Uint8Array.of(0xff, 0xfe))).toBeUndefined();
});

test("offsets of diagnostics count bytes of UTF-8", () => {
  const text = "é€😀x";
  expect([0, 2, 5, 9, 10].map((byte) => offsetInText(text, byte))).toEqual([0, 1, 2, 4, 5]);
  expect(offsetInText(text, 99)).toBe(5);
});

test("bit patterns and numbers", () => {
  expect(areWords("3f800000 00000000")).toBe(true);
  expect(areWords("3f80000")).toBe(false);
  expect(floatsOf("3f800000 c0000000")).toEqual([1, -2]);
  expect(wordOf(0.5)).toBe("3f000000");
  expect([0.1, 1 / 3, 16777216, -0, Number.POSITIVE_INFINITY].map((value) => shortFloat(Math.fround(value)))).toEqual(["0.1", "0.33333334", "16777216", "-0", "Infinity"]);
});

test("ranges of live registers have several registers", () => {
  expect(registersIn("r1..r4, r9")).toBe(5);
  expect(registersIn("")).toBe(0);
});
