import { expect, test } from "@playwright/test";
import { linked, pagesOf, setOf } from "../../src/model/help.ts";

test("pages are in files for each instruction set, chapters in one of their own", () => {
  expect(setOf("reference/maxwell/instruction/FADD")).toBe("maxwell");
  expect(setOf("reference/index")).toBe("all");
  expect(setOf("agal-runs")).toBe("book");
});

test("links lead from chapters to pages and back", () => {
  expect(linked("agal-runs", "reference/agal/instruction/mov.html#form-2")).toBe("reference/agal/instruction/mov");
  expect(linked("reference/agal/instruction/mov", "../../../agal-runs.html")).toBe("agal-runs");
  expect(linked("agal-runs", "concepts.html")).toBe("concepts");
});

test("a word finds its spelling before others", () => {
  const index = ["MOV", "mov", "Mul"].map((name) => ({ names: [name], page: name }));
  expect(pagesOf(index, "mov").map(({ page }) => page)).toEqual(["mov"]);
  expect(pagesOf(index, "mul").map(({ page }) => page)).toEqual(["Mul"]);
});
