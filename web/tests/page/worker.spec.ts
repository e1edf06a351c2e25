import { expect, test } from "@playwright/test";
import { decodeText } from "../../src/model/text.ts";
import { startWorker } from "./driver.ts";
import { mutated, numbers } from "./mutants.ts";
import { openPage } from "./page.ts";
import { NOTHING, samples } from "./samples.ts";

/** How many changed files the worker gets; `SHISA_MUTANTS` sets it. */
const COUNT = Number(process.env.SHISA_MUTANTS ?? 300);

/** Files of one message to the browser. */
const BATCH = 50;

test(`the worker answers all requests about ${COUNT} changed files with a result or diagnostics`, async ({ page }) => {
  test.setTimeout(60_000 + COUNT * 1000);
  await openPage(page);
  const driver = await startWorker(page);
  const seeds = samples();
  const random = numbers(23);
  const total = { results: 0, refusals: 0, programs: 0, restarts: 0 };
  const faults: string[] = [];
  let slowest = { time: 0, name: "" };
  for (let first = 0; first < COUNT; first += BATCH) {
    const files = Array.from({ length: Math.min(BATCH, COUNT - first) }, (_, index) => {
      const { bytes, ...seed } = seeds[(first + index) % seeds.length] ?? NOTHING;
      const changed = mutated(bytes, random);
      const text = decodeText(changed);
      return { ...seed, base64: Buffer.from(changed).toString("base64"), ...(text === undefined ? {} : { text }) };
    });
    const all = await driver.evaluate(async ({ answers }, list) => {
      const answered = [];
      for (const file of list) answered.push(await answers(file));
      return answered;
    }, files);
    for (const [index, { results, refusals, hasProgram, restarts, faults: own, slowest: [time, verb] }] of all.entries()) {
      const name = `${first + index}: ${files[index]?.name}`;
      total.results += results;
      total.refusals += refusals;
      total.programs += Number(hasProgram);
      total.restarts += restarts;
      faults.push(...own.map((fault) => `${name}: ${fault}`));
      if (time > slowest.time) slowest = { time, name: `${name}: ${verb}` };
    }
  }
  console.log(`${COUNT} changed files of ${seeds.length} samples, ${total.programs} with a program: ${total.results} results, `
    + `${total.refusals} refusals, ${total.restarts} restarts; the slowest request took ${slowest.time.toFixed()} ms (${slowest.name})`);
  expect(faults).toEqual([]);
  expect(total.restarts).toBe(0);
  expect(total.programs, "enough of the files open").toBeGreaterThan(COUNT / 4);
});
