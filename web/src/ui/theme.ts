import { button } from "./dom.ts";
import { oneOf, Remembered } from "./remembered.ts";

const THEMES = ["auto", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

const SIGN: Record<Theme, string> = { auto: "◐", light: "☀", dark: "☾" };

/** The button that switches between the system's theme, light and dark. */
export function themeSwitch(): HTMLButtonElement {
  const theme = new Remembered<Theme>("theme", "auto", oneOf(...THEMES));
  const element = button("", () => {
    theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? "auto";
    apply();
  }, { class: "icon" });
  function apply(): void {
    document.documentElement.dataset.theme = theme.value;
    element.textContent = SIGN[theme.value];
    element.title = `Theme: ${theme.value}`;
    element.setAttribute("aria-label", `Theme: ${theme.value}`);
  }
  apply();
  return element;
}
