/** A value whose readers learn of changes. All state that panes share is in one store. */
export class Store<State extends object> {
  #state: State;
  readonly #readers = new Set<(state: State, changed: ReadonlySet<keyof State>) => void>();

  constructor(state: State) {
    this.#state = state;
  }

  get state(): Readonly<State> {
    return this.#state;
  }

  /** Changes some fields and calls the readers once, unless every field has its value already. */
  set(patch: Partial<State>): void {
    const changed = new Set<keyof State>();
    for (const key of Object.keys(patch) as (keyof State)[]) {
      if (this.#state[key] !== patch[key]) changed.add(key);
    }
    if (changed.size === 0) return;
    this.#state = { ...this.#state, ...patch };
    for (const reader of [...this.#readers]) reader(this.#state, changed);
  }

  /** Calls `reader` after each change of one of `keys`. Returns what ends that. */
  on(keys: readonly (keyof State)[], reader: (state: State) => void): () => void {
    const call = (state: State, changed: ReadonlySet<keyof State>) => {
      if (keys.some((key) => changed.has(key))) reader(state);
    };
    this.#readers.add(call);
    return () => this.#readers.delete(call);
  }

  /** Calls `reader` after each change of one of the values that `select` returns. */
  watch(select: (state: State) => readonly unknown[], reader: (state: State) => void): void {
    let last = select(this.#state);
    this.#readers.add((state) => {
      const next = select(state);
      if (next.length === last.length && next.every((value, index) => value === last[index])) return;
      last = next;
      reader(state);
    });
  }
}
