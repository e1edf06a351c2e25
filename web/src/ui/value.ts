import { areWords, floatsOf, shortFloat } from "../model/words.ts";
import { h } from "./dom.ts";
import { table } from "./table.ts";

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Shows a value of JSON as an element. */
export function valueElement(value: unknown): HTMLElement {
  const shown = showValue(value);
  return typeof shown === "string" ? h("span", {}, shown) : shown;
}

/** Shows a value of JSON: lists of objects as tables, objects as pairs, bit patterns of 32-bit words as numbers. */
export function showValue(value: unknown): HTMLElement | string {
  if (Array.isArray(value)) {
    if (value.length === 0) return h("span", { class: "muted" }, "none");
    if (value.every(isFields)) return tableOf(value);
    if (value.every((item) => typeof item === "number")) return value.join(", ");
    return h("ol", { class: "list", start: 0 }, ...value.map((item) => h("li", {}, showValue(item))));
  }
  if (isFields(value)) return pairs(value);
  if (typeof value === "string" && areWords(value)) {
    return h("span", { class: "number", title: value }, floatsOf(value).map(shortFloat).join("  "));
  }
  if (value === null || value === undefined) return h("span", { class: "muted" }, "–");
  if (typeof value === "boolean") return value ? "yes" : "no";
  return String(value);
}

function pairs(fields: Fields): HTMLElement {
  const list = h("dl", { class: "pairs" });
  for (const [name, value] of Object.entries(fields)) {
    list.append(h("dt", {}, name.replaceAll("_", " ")), h("dd", {}, showValue(value)));
  }
  return list;
}

function tableOf(rows: readonly Fields[]): HTMLElement {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const full = columns.filter((column) => rows.some((row) => row[column] !== null && row[column] !== undefined));
  return table(
    full.map((column) => column.replaceAll("_", " ")),
    rows.map((row) => ({ cells: full.map((column) => showValue(row[column])) })),
  );
}
