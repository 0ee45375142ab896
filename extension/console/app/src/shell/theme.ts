import { signal } from "@preact/signals";

export const THEME_KEY = "poolkeeper.theme";
export const THEMES = ["system", "light", "dark"] as const;
/** Theme of the page: light, dark, or that of the system. */
export type Theme = (typeof THEMES)[number];

/** Theme in use. */
export const theme = signal<Theme>("system");

export function storedTheme(): Theme {
  try {
    const stored = window.localStorage.getItem(THEME_KEY);
    return THEMES.find((name) => name === stored) ?? "system";
  } catch {
    return "system";
  }
}

/** Store and apply a theme. */
export function storeTheme(name: Theme): void {
  try {
    window.localStorage.setItem(THEME_KEY, name);
  } catch {
    // The choice lasts as long as the document.
  }
  applyTheme(name);
}

export function applyTheme(name: Theme): void {
  theme.value = name;
  if (name === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
}
