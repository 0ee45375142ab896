import { Languages, Monitor, Moon, Sun } from "lucide";
import { LANGUAGES } from "../connection/api.js";
import { storedLanguage, text } from "../language/catalogue.js";
import { Menu, type MenuItem } from "../parts/menu.js";
import { storeTheme, theme, THEMES } from "./theme.js";

const THEME_ICONS = { system: Monitor, light: Sun, dark: Moon };

/** Choice of the theme. */
export function ThemeMenu() {
  const items: MenuItem[] = THEMES.map((name) => ({
    label: text(`settings.theme_${name}`),
    icon: THEME_ICONS[name],
    isChecked: theme.value === name,
    act: () => storeTheme(name),
  }));
  return <Menu label={text("settings.theme")} icon={THEME_ICONS[theme.value]} items={items} />;
}

/** Choice of the language; the first one follows the browser. */
export function LanguageMenu({ change }: { change: (tag: string | null) => unknown }) {
  const stored = storedLanguage();
  const browser = { label: text("settings.language_browser"), isChecked: stored === null, act: () => change(null) };
  const languages = Object.entries(LANGUAGES).map(([tag, name]) => ({
    label: name,
    lang: tag,
    isChecked: stored === tag,
    act: () => change(tag),
  }));
  return <Menu label={text("settings.language")} icon={Languages} items={[browser, ...languages]} />;
}
