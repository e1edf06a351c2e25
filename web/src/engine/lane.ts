import type { Doc } from "../model/state.ts";
import { Cancelled, type FromWorker, type ToWorker, type Verb, VerbError, type Verbs } from "./protocol.ts";

/** How many documents stay open in a worker: the edited one, the one before, and two that are compared. */
const OPEN = 4;

interface Waiting {
  readonly id: number;
  readonly verb: Verb;
  readonly argument: unknown;
  readonly docs: readonly Doc[];
  /** A newer request with the same topic replaces an older one. */
  readonly topic: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** What may happen to a lane, for the status bar. */
export interface LaneEvents {
  begun(lane: Lane, verb: Verb): void;
  ended(lane: Lane): void;
  /** The module failed in its middle and was started anew. */
  crashed(lane: Lane, message: string): void;
}

/**
 * A worker and the requests that wait for it. One request runs at a time. To cancel it, the worker is ended and a new
 * one starts; requests that wait go on.
 */
export class Lane {
  readonly name: string;
  readonly #module: Promise<WebAssembly.Module>;
  readonly #events: LaneEvents;
  #worker: Worker | undefined;
  /** The keys of the documents that the worker has, the least recently used first. */
  #sent: number[] = [];
  #queue: Waiting[] = [];
  #running: Waiting | undefined;
  #next = 0;

  constructor(name: string, module: Promise<WebAssembly.Module>, events: LaneEvents) {
    this.name = name;
    this.#module = module;
    this.#events = events;
  }

  /** Starts the worker, so that the first request need not wait for it. */
  warm(): void {
    this.#worker ??= this.#start();
  }

  request<V extends Verb>(verb: V, argument: Verbs[V][0], docs: readonly Doc[], topic: string): Promise<Verbs[V][1]> {
    for (const waiting of this.#queue.filter((other) => other.topic === topic)) waiting.reject(new Cancelled());
    this.#queue = this.#queue.filter((other) => other.topic !== topic);
    return new Promise((resolve, reject) => {
      const id = this.#next++;
      this.#queue.push({ id, verb, argument, docs, topic, resolve: resolve as (result: unknown) => void, reject });
      this.#pump();
    });
  }

  /** Ends the running request. */
  cancel(): void {
    const running = this.#running;
    if (running === undefined) return;
    this.#stop();
    running.reject(new Cancelled());
    this.#pump();
  }

  #pump(): void {
    if (this.#running !== undefined) return;
    const next = this.#queue.shift();
    if (next === undefined) return;
    this.warm();
    this.#running = next;
    for (const doc of next.docs) this.#send(doc);
    this.#events.begun(this, next.verb);
    this.#post({ kind: "request", id: next.id, verb: next.verb, argument: next.argument });
  }

  #send(doc: Doc): void {
    const known = this.#sent.indexOf(doc.key);
    if (known >= 0) this.#sent.splice(known, 1);
    else this.#post({ kind: "doc", key: doc.key, bytes: doc.bytes, ...(doc.control === undefined ? {} : { control: doc.control }) });
    this.#sent.push(doc.key);
    if (this.#sent.length > OPEN) this.#post({ kind: "close", key: this.#sent.shift() ?? -1 });
  }

  #start(): Worker {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: this.name });
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#answered(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.#failed(event.message || "the worker did not start");
    };
    this.#module.then(
      (module) => {
        // The module follows later messages; the worker lets them wait for it.
        if (worker === this.#worker) worker.postMessage({ kind: "module", module } satisfies ToWorker);
      },
      (error: Error) => this.#failed(error.message),
    );
    return worker;
  }

  #post(message: ToWorker): void {
    this.#worker?.postMessage(message);
  }

  #answered(message: FromWorker): void {
    const running = this.#running;
    if (running?.id !== message.id) return;
    if (message.kind === "error" && message.crashed) {
      this.#failed(message.message);
      return;
    }
    this.#running = undefined;
    this.#events.ended(this);
    if (message.kind === "result") running.resolve(message.result);
    else running.reject(new VerbError(message.message, message.diagnostics));
    this.#pump();
  }

  #failed(message: string): void {
    const running = this.#running;
    this.#stop();
    this.#events.crashed(this, message);
    running?.reject(new VerbError(`the module failed and was started anew: ${message}`, []));
    this.#pump();
  }

  #stop(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#sent = [];
    this.#running = undefined;
    this.#events.ended(this);
  }
}
