import { expect, test } from "@playwright/test";
import { Lane, type LaneEvents } from "../../src/engine/lane.ts";
import { Cancelled, type FromWorker, type ToWorker } from "../../src/engine/protocol.ts";
import type { Doc } from "../../src/model/state.ts";

/** A worker that answers when the test says so. */
class FakeWorker {
  static all: FakeWorker[] = [];
  readonly messages: ToWorker[] = [];
  isEnded = false;
  onmessage: ((event: { data: FromWorker }) => void) | undefined;
  onerror: unknown;

  constructor() {
    FakeWorker.all.push(this);
  }

  postMessage(message: ToWorker): void {
    this.messages.push(message);
  }

  terminate(): void {
    this.isEnded = true;
  }

  get last(): ToWorker | undefined {
    return this.messages.filter(({ kind }) => kind !== "module").at(-1);
  }

  answer(message: FromWorker): void {
    this.onmessage?.({ data: message });
  }
}

const EVENTS: LaneEvents = { begun() {}, ended() {}, crashed() {} };

function newLane(events = EVENTS): Lane {
  FakeWorker.all = [];
  Object.assign(globalThis, { Worker: FakeWorker });
  return new Lane("work", new Promise(() => undefined), events);
}

function doc(key: number): Doc {
  return { key, name: `doc ${key}`, bytes: new Uint8Array() };
}

function worker(): FakeWorker {
  const last = FakeWorker.all.at(-1);
  if (last === undefined) throw new Error("no worker was started");
  return last;
}

test("one request runs at a time, in order", async () => {
  const lane = newLane();
  const first = lane.request("version", null, [], "a");
  const second = lane.request("version", null, [], "b");
  expect(worker().messages).toHaveLength(1);
  worker().answer({ kind: "result", id: 0, result: "one" });
  worker().answer({ kind: "result", id: 1, result: "two" });
  expect([await first, await second]).toEqual(["one", "two"]);
});

test("a newer request replaces one of its topic that waits", async () => {
  const lane = newLane();
  const running = lane.request("version", null, [], "a");
  const waiting = lane.request("version", null, [], "a");
  const newest = lane.request("version", null, [], "a");
  await expect(waiting).rejects.toBeInstanceOf(Cancelled);
  worker().answer({ kind: "result", id: 0, result: "one" });
  worker().answer({ kind: "result", id: 2, result: "three" });
  expect([await running, await newest]).toEqual(["one", "three"]);
});

test("a cancelled request ends its worker, and those that wait go on in a new one, which gets the documents again", async () => {
  const lane = newLane();
  const cancelled = lane.request("version", null, [doc(1)], "a");
  const next = lane.request("version", null, [doc(1)], "b");
  const old = worker();
  lane.cancel();
  await expect(cancelled).rejects.toBeInstanceOf(Cancelled);
  expect(old.isEnded).toBe(true);
  expect(worker()).not.toBe(old);
  expect(worker().messages.map(({ kind }) => kind)).toEqual(["doc", "request"]);
  worker().answer({ kind: "result", id: 1, result: "two" });
  expect(await next).toBe("two");
});

test("a crash rejects its request, is reported, and the next request has a new worker", async () => {
  const crashes: string[] = [];
  const lane = newLane({ ...EVENTS, crashed: (_lane, message) => crashes.push(message) });
  const crashed = lane.request("version", null, [], "a");
  const old = worker();
  old.answer({ kind: "error", id: 0, message: "unreachable", diagnostics: [], crashed: true });
  await expect(crashed).rejects.toThrow("started anew: unreachable");
  expect(crashes).toEqual(["unreachable"]);
  const next = lane.request("version", null, [], "a");
  expect(worker()).not.toBe(old);
  worker().answer({ kind: "result", id: 1, result: "alive" });
  expect(await next).toBe("alive");
});

test("a worker has at most four documents; the least recently used one closes", () => {
  const lane = newLane();
  for (const key of [1, 2, 3, 4, 1, 5]) {
    void lane.request("version", null, [doc(key)], String(key));
    const last = worker().last;
    if (last?.kind === "request") worker().answer({ kind: "result", id: last.id, result: "" });
  }
  expect(worker().messages.filter(({ kind }) => kind === "doc")).toHaveLength(5);
  expect(worker().messages.filter(({ kind }) => kind === "close")).toEqual([{ kind: "close", key: 2 }]);
});
