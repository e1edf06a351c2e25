/** A value in the browser's storage. Without storage, in private windows, it lasts as long as the page. */
export class Remembered<Value> {
  readonly #name: string;
  readonly #accept: (value: unknown) => value is Value;
  #value: Value;

  constructor(name: string, initial: Value, accept: (value: unknown) => value is Value) {
    this.#name = `shisa.${name}`;
    this.#accept = accept;
    this.#value = this.#read() ?? initial;
  }

  get value(): Value {
    return this.#value;
  }

  set value(value: Value) {
    this.#value = value;
    try {
      localStorage.setItem(this.#name, JSON.stringify(value));
    } catch {
      // The page works without storage.
    }
  }

  #read(): Value | undefined {
    try {
      const value: unknown = JSON.parse(localStorage.getItem(this.#name) ?? "null");
      return this.#accept(value) ? value : undefined;
    } catch {
      return undefined;
    }
  }
}

/** Accepts one of the texts. */
export function oneOf<Text extends string>(...texts: readonly Text[]): (value: unknown) => value is Text {
  return (value): value is Text => texts.includes(value as Text);
}
