import { areWords, floatsOf, shortFloat, wordOf } from "../model/words.ts";
import { button, h } from "./dom.ts";

type Changed = (value: unknown) => void;

/** The most entries of a list that have fields of their own. */
const MOST = 64;

/** The most 32-bit words of a text that have fields of their own. */
const WORDS = 16;

/** A form for a value of JSON. `changed` gets the whole value after each change. */
export function form(name: string, value: unknown, changed: Changed): HTMLElement {
  if (Array.isArray(value)) return listForm(name, value, changed);
  if (typeof value === "object" && value !== null) return objectForm(name, value as Record<string, unknown>, changed);
  if (typeof value === "boolean") {
    const box = h("input", { type: "checkbox", checked: value, on: { change: () => changed(box.checked) } });
    return h("label", { class: "field" }, h("span", {}, name), box);
  }
  if (typeof value === "number") return h("label", { class: "field" }, h("span", {}, name), numberInput(name, String(value), changed));
  const text = typeof value === "string" ? value : "";
  if (areWords(text) && text.length < WORDS * 9) return wordsForm(name, text, changed);
  const input = h("input", { type: "text", value: text, class: "wide", on: { change: () => changed(input.value) } });
  return h("label", { class: "field" }, h("span", {}, name), input);
}

function numberInput(name: string, value: string, changed: (value: number) => void): HTMLInputElement {
  const input = h("input", {
    type: "text", inputMode: "decimal", class: "number", value, attributes: { "aria-label": name },
    on: {
      change: () => {
        const number = Number(input.value);
        const isNumber = input.value.trim() !== "" && (!Number.isNaN(number) || input.value === "NaN");
        input.setAttribute("aria-invalid", String(!isNumber));
        if (isNumber) changed(number);
      },
    },
  });
  return input;
}

/** Bit patterns of 32-bit words, as numbers in binary32. */
function wordsForm(name: string, text: string, changed: Changed): HTMLElement {
  const words = text.split(" ");
  const inputs = floatsOf(text).map((float, index) =>
    numberInput(`${name}, number ${index + 1}`, shortFloat(float), (number) => {
      words[index] = wordOf(number);
      changed(words.join(" "));
    }));
  return h("div", { class: "field", title: "numbers in binary32" }, h("span", {}, name), h("span", { class: "numbers" }, ...inputs));
}

function objectForm(name: string, value: Readonly<Record<string, unknown>>, changed: Changed): HTMLElement {
  let current = value;
  const fields = Object.entries(value).filter(([key]) => key !== "version").map(([key, member]) =>
    form(key, member, (next) => {
      current = { ...current, [key]: next };
      changed(current);
    }));
  return name === "" ? h("div", { class: "form" }, ...fields) : h("fieldset", {}, h("legend", {}, name), ...fields);
}

function listForm(name: string, value: readonly unknown[], changed: Changed): HTMLElement {
  let current = value;
  const element = h("fieldset", {}, h("legend", {}, name));
  const rest = h("span", { class: "tools" });
  function draw(): void {
    const items = current.slice(0, MOST).map((item, index) =>
      form(String(index), item, (next) => {
        current = current.with(index, next);
        changed(current);
      }));
    if (current.length > MOST) items.push(h("p", { class: "muted" }, `${current.length - MOST} more are in the JSON`));
    element.replaceChildren(h("legend", {}, name), ...items, rest);
  }
  function take(next: readonly unknown[]): void {
    current = next;
    changed(current);
    draw();
  }
  rest.append(
    button("Add", () => take([...current, structuredClone(current.at(-1) ?? "00000000")])),
    button("Remove", () => take(current.slice(0, -1))));
  draw();
  return element;
}
