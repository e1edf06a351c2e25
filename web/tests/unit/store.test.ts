import { expect, test } from "@playwright/test";
import { Store } from "../../src/model/store.ts";

test("readers learn of changes of their fields, once for each call", () => {
  const store = new Store({ a: 1, b: 2 });
  const seen: number[] = [];
  const end = store.on(["a"], ({ a }) => seen.push(a));
  store.set({ a: 2, b: 3 });
  store.set({ b: 4 });
  store.set({ a: 2 });
  end();
  store.set({ a: 5 });
  expect(seen).toEqual([2]);
});

test("watched values are compared, not the fields that they are made of", () => {
  const store = new Store({ name: "x", bytes: [1] });
  const seen: string[] = [];
  store.watch(({ name }) => [name], ({ name }) => seen.push(name));
  store.set({ bytes: [2] });
  store.set({ name: "y" });
  expect(seen).toEqual(["y"]);
});
