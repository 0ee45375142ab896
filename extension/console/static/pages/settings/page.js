import { LANGUAGES } from "../../_generated_constants.js";
import { element } from "../../dom.js";
import { written } from "../../formatting.js";
import { storedLanguage, tokenText } from "../../language/catalogue.js";
import { storedTheme, storeTheme, THEMES } from "../../shell/theme.js";

/** @typedef {[value: string, label: string]} Choice */

/**
 * Mount the page of the settings: those of this browser, and those of the service, which only its owner changes.
 *
 * @type {import("../../shell/router.js").Mount}
 */
export function mount(root, { text, config, changeLanguage }) {
  const theme = choice("theme", text("settings.theme"),
    THEMES.map((name) => /** @type {Choice} */ ([name, text(`settings.theme_${name}`)])), storedTheme(),
    (value) => storeTheme(THEMES.find((name) => name === value) ?? "system"));
  const language = choice("language", text("settings.language"),
    [["", text("settings.language_browser")], ...Object.entries(LANGUAGES)], storedLanguage() ?? "", async (value) => {
      await changeLanguage(value || null);
      // The page is shown anew with it.
      document.getElementById("language")?.focus();
    });
  root.append(
    element("h1", { text: text("pages.settings"), attributes: { id: "settings-heading", tabindex: -1 } }),
    element("section", { class: "panel", attributes: { "aria-labelledby": "browser-heading" } },
      element("h2", { text: text("settings.appearance"), attributes: { id: "browser-heading" } }),
      element("p", { class: "quiet", text: text("settings.browser") }),
      element("div", { class: "settings-grid" }, theme, language)),
    element("section", { class: "panel", attributes: { "aria-labelledby": "service-heading" } },
      element("h2", { text: text("settings.service"), attributes: { id: "service-heading" } }),
      element("p", { class: "quiet", text: text("settings.service_hint") }),
      element("dl", { class: "facts" }, ...Object.entries(config.settings).map(([name, value]) => element("div", {},
        element("dt", {},
          tokenText("service_setting", name, name), " ", element("small", { class: "mono", text: name })),
        element("dd", {}, element("bdi", {
          text: name === "listen" && !config.settings.gateway ? text("settings.listen_unused") : written(value),
        })))))));
  const shown = /** @type {HTMLSelectElement} */ (theme.querySelector("select"));
  const follow = () => { shown.value = storedTheme(); };  // another tab may choose one as well
  window.addEventListener("storage", follow);
  return () => window.removeEventListener("storage", follow);
}

/**
 * @param {string} id
 * @param {string} label
 * @param {Choice[]} choices
 * @param {string} chosen
 * @param {(value: string) => void} onChoose
 */
function choice(id, label, choices, chosen, onChoose) {
  const select = element("select", { attributes: { id }, on: { change: () => onChoose(select.value) } },
    ...choices.map(([value, name]) => element("option", { text: name, attributes: { value } })));
  select.value = chosen;
  return element("div", { class: "field" }, element("label", { text: label, attributes: { for: id } }), select);
}
