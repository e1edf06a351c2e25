import { File } from "shisa";
import { type Browser, expect, type Page, test } from "@playwright/test";
import { dropFiles, editor, fact, fixture, openPage, replaceText } from "./page.ts";

/** Bounds in milliseconds. A busy machine gets `SHISA_SLOW` times as much. */
const SLOW = Number(process.env.SHISA_SLOW ?? 1);
const INTERACTIVE = 1000 * SLOW;
const FRAME = 50 * SLOW;
const RECHECK = 30 * SLOW;

function report(name: string, milliseconds: number): void {
  console.log(`${name}: ${milliseconds.toFixed(1)} ms`);
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly tid: number;
  readonly pid: number;
  /** Microseconds. */
  readonly ts: number;
  readonly dur?: number;
  /** Time of the processor, in microseconds: other processes of the machine do not count. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Does something, and returns what the browser recorded, with the tasks of threads that have one of the names. */
async function traced(page: Page, browser: Browser, threads: readonly string[], act: () => Promise<void>): Promise<{ events: TraceEvent[]; tasks: TraceEvent[] }> {
  await browser.startTracing(page, { categories: ["toplevel", "__metadata", "blink.user_timing"] });
  await act();
  const { traceEvents: events } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const named = new Set(events
    .filter(({ name, args }) => name === "thread_name" && threads.includes(args?.name ?? ""))
    .map(({ pid, tid }) => `${pid} ${tid}`));
  const tasks = events.filter(({ name, pid, tid, tdur }) => name === "ThreadControllerImpl::RunTask" && tdur !== undefined && named.has(`${pid} ${tid}`));
  expect(tasks.length).toBeGreaterThan(10);
  return { events, tasks };
}

/** Does something, and returns the longest task of the page's main thread in milliseconds of the processor. */
async function longestTask(page: Page, browser: Browser, act: () => Promise<void>): Promise<number> {
  const { tasks } = await traced(page, browser, ["CrRendererMain"], act);
  return Math.max(...tasks.map(({ tdur }) => (tdur ?? 0) / 1000));
}

test("the page is interactive in a second, and its first paint needs little", async ({ page }) => {
  await openPage(page);
  await page.goto("about:blank");
  const begun = Date.now();
  await page.goto("./");
  await expect(page.getByRole("button", { name: "Open files…" })).toBeVisible();
  await page.locator(".gallery button").first().waitFor();
  const time = Date.now() - begun;
  report("interactive, with the module", time);
  expect(time).toBeLessThan(INTERACTIVE);
});

test("a source of 500 lines is checked while one types", async ({ page, browser }) => {
  await openPage(page);
  const source = ["// agal 2 fragment", ...Array.from({ length: 498 }, (_, index) => `mov ft${index % 8}, v0`), "mov oc, ft0", ""].join("\n");
  await dropFiles(page, [{ name: "long.frag.agal", bytes: Buffer.from(source) }]);
  await expect(fact(page, "confidence")).toHaveText("certain");
  await editor(page).click();
  await page.keyboard.press("ControlOrMeta+End");
  const { events, tasks } = await traced(page, browser, ["CrRendererMain", "DedicatedWorker thread"], async () => {
    for (let index = 0; index < 20; index++) {
      await page.keyboard.insertText(index % 2 === 0 ? "mov oc, ft1" : " // again");
      await page.waitForTimeout(400);
    }
  });
  // The page measures the time from an edit to its findings. What counts is the processor time of page and worker in it.
  const begins = events.filter(({ name, ph }) => name === "check" && ph === "b").map(({ ts }) => ts).sort((a, b) => a - b);
  const ends = events.filter(({ name, ph }) => name === "check" && ph === "e").map(({ ts }) => ts).sort((a, b) => a - b);
  expect(begins).toHaveLength(20);
  const times = begins.map((begin, index) => {
    const end = ends[index] ?? begin;
    const own = tasks.filter(({ ts, dur }) => ts < end && ts + (dur ?? 0) > begin);
    return own.reduce((sum, { tdur }) => sum + (tdur ?? 0), 0) / 1000;
  }).sort((a, b) => a - b);
  const median = times[times.length >> 1] ?? 0;
  report("recheck of 500 lines, median of the processor time", median);
  report("recheck of 500 lines, longest", times.at(-1) ?? 0);
  report("recheck of 500 lines, median of the wall time", begins.map((begin, index) => ((ends[index] ?? 0) - begin) / 1000).sort((a, b) => a - b)[10] ?? 0);
  expect(median).toBeLessThan(RECHECK);
});

/** A cubin whose program has 2 MiB of code. */
function largeCubin(): Buffer {
  const bundle = 32;
  const cubin = fixture("tests/identify/kernels.cubin");
  const file = File.open(cubin, { name: "kernels.cubin" });
  const code = file.program(1).extract();
  const large = new Uint8Array(2 << 20);
  for (let at = 0; at < large.length; at += bundle) large.set(code.subarray(0, bundle), at);
  large.set(code.subarray(code.length - bundle), large.length - bundle);
  return Buffer.from(file.replace(1, large));
}

test("a cubin of 2 MiB is listed and scrolled without long frames", async ({ page, browser }) => {
  test.setTimeout(120_000);
  await openPage(page);
  const bytes = largeCubin();
  // Playwright passes files as text in base64; the time of that is not the page's.
  await page.evaluate((base64) => Object.assign(globalThis, { large: Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)) }), bytes.toString("base64"));
  const listed = await longestTask(page, browser, async () => {
    await page.evaluate(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new globalThis.File([(globalThis as unknown as { large: BlobPart }).large], "large.cubin"));
      document.body.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: transfer }));
    });
    await expect(editor(page)).toContainText("MOV32I", { timeout: 60_000 });
    await page.waitForTimeout(3000);
  });
  const scrolled = await longestTask(page, browser, () => page.evaluate(async () => {
    const scroller = document.querySelector("#pane-listing .cm-scroller");
    for (let step = 0; step < 120; step++) {
      scroller?.scrollBy(0, step % 10 === 0 ? 40_000 : 400);
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  }));
  report("longest task while a cubin of 2 MiB is listed", listed);
  report("longest task while it is scrolled", scrolled);
  expect(listed).toBeLessThan(FRAME);
  expect(scrolled).toBeLessThan(FRAME);
  await replaceText(page, "");
  await expect(page.locator(".status")).toContainText(/error|finding|empty/);
});
