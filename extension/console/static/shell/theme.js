/**
 * Theme of the page: light, dark, or that of the system.
 *
 * @typedef {"system" | "light" | "dark"} Theme
 */

export const THEME_KEY = "poolkeeper.theme";

export const THEMES = /** @type {const} */ (["system", "light", "dark"]);

/**
 * Return the stored theme.
 *
 * @returns {Theme}
 */
export function storedTheme() {
  try {
    const stored = window.localStorage.getItem(THEME_KEY);
    return THEMES.find((theme) => theme === stored) ?? "system";
  } catch {
    return "system";
  }
}

/**
 * Store and apply a theme.
 *
 * @param {Theme} theme
 */
export function storeTheme(theme) {
  try {
    window.localStorage.setItem(THEME_KEY, theme);
  } catch {
    // The choice lasts as long as the document.
  }
  applyTheme(theme);
}

/** @param {Theme} theme */
export function applyTheme(theme) {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
