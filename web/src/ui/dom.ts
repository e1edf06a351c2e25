type Child = Node | string | null | undefined | false;

type Properties<Tag extends keyof HTMLElementTagNameMap> = Partial<
  Omit<HTMLElementTagNameMap[Tag], "style" | "dataset" | "children" | "attributes">
> & {
  readonly class?: string;
  readonly data?: Readonly<Record<string, string>>;
  readonly attributes?: Readonly<Record<string, string>>;
  /** Listeners by the name of the event. */
  readonly on?: { readonly [Name in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Name]) => void };
};

/** Makes an element of HTML. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Properties<Tag> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const { class: names, data, attributes, on, ...rest } = properties;
  const element = document.createElement(tag);
  Object.assign(element, rest);
  if (names !== undefined) element.className = names;
  for (const [name, value] of Object.entries(data ?? {})) element.dataset[name] = value;
  for (const [name, value] of Object.entries(attributes ?? {})) element.setAttribute(name, value);
  for (const [name, listener] of Object.entries(on ?? {})) element.addEventListener(name, listener as EventListener);
  element.append(...children.filter((child): child is Node | string => child !== null && child !== undefined && child !== false));
  return element;
}

/** Makes an element of SVG. */
export function svg<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string | number>> = {},
  ...children: (Node | string)[]
): SVGElementTagNameMap[Tag] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/** A button with a text. */
export function button(text: string, act: () => void, properties: Properties<"button"> = {}): HTMLButtonElement {
  return h("button", { type: "button", ...properties, on: { click: act } }, text);
}

/** A menu of one choice, with its label; where the choices speak for themselves only screen readers have the label. */
export function choice<Value extends string>(
  label: string,
  options: readonly { readonly value: Value; readonly text: string }[],
  value: Value,
  chosen: (value: Value) => void,
  style: "shown" | "quiet" = "shown",
): HTMLLabelElement {
  const select = h("select", { on: { change: () => chosen(select.value as Value) } });
  for (const option of options) {
    select.append(h("option", { value: option.value, selected: option.value === value }, option.text));
  }
  return h("label", { class: style === "quiet" ? "field quiet" : "field" }, h("span", {}, label), select);
}

/** A box that is checked or not, with its label. */
export function check(label: string, value: boolean, changed: (value: boolean) => void): HTMLLabelElement {
  const box = h("input", { type: "checkbox", checked: value, on: { change: () => changed(box.checked) } });
  return h("label", { class: "field" }, box, h("span", {}, label));
}
