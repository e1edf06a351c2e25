import type { LaneEvents } from "../engine/lane.ts";
import type { State } from "../model/state.ts";
import type { Store } from "../model/store.ts";

/** Requests that take longer than this, in milliseconds, are shown with a button that cancels them. */
const SHOWN_AFTER = 400;

/** Stores the request that runs, for the status bar. */
export function jobEvents(store: Store<State>): LaneEvents {
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  return {
    begun(lane, verb) {
      timers.set(lane.name, setTimeout(() => store.set({ job: { lane: lane.name, title: verb } }), SHOWN_AFTER));
    },
    ended(lane) {
      clearTimeout(timers.get(lane.name));
      timers.delete(lane.name);
      if (store.state.job?.lane === lane.name) store.set({ job: null });
    },
    crashed(_lane, message) {
      store.set({ status: `the module failed and was started anew: ${message}` });
    },
  };
}
