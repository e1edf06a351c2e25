import type { Doc, Subject } from "../model/state.ts";
import { Lane, type LaneEvents } from "./lane.ts";
import type { DocRef, ProgramRef, Verb, Verbs } from "./protocol.ts";

/** What a request is about, apart from its argument. */
interface Options {
  readonly docs?: readonly Doc[];
  /** A newer request with the same topic replaces an older one that waits; by default the verb. */
  readonly topic?: string;
}

/**
 * All lanes. Each has a worker of its own: `edit` answers while one types, `work` makes what panes show, and `step` has
 * the run that is debugged.
 */
export class Engine {
  readonly edit: Lane;
  readonly work: Lane;
  readonly step: Lane;

  constructor(module: Promise<WebAssembly.Module>, events: LaneEvents) {
    this.edit = new Lane("edit", module, events);
    this.work = new Lane("work", module, events);
    this.step = new Lane("step", module, events);
  }

  request<V extends Verb>(lane: Lane, verb: V, argument: Verbs[V][0], options: Options = {}): Promise<Verbs[V][1]> {
    return lane.request(verb, argument, options.docs ?? [], options.topic ?? verb);
  }
}

/** The name of a document for workers. */
export function refer(doc: Doc): DocRef {
  const { key, name, isa, sm } = doc;
  return { key, name, ...(isa === undefined ? {} : { isa }), ...(sm === undefined ? {} : { sm }) };
}

/** The name of a program for workers. */
export function referTo({ doc, program }: Subject): ProgramRef {
  return { ...refer(doc), program };
}
