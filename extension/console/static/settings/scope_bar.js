import { SETTING_LIMITS } from "../_generated_constants.js";
import { byId, element, within } from "../dom.js";
import { chooseFamily, switchSource } from "./stored_settings.js";
import { text as phrase } from "../language/catalogue.js";
import { whenUnused } from "../layout/kept_field.js";

/** @typedef {[value: string, label: string]} Choice */

const SETTLE_MS = 300;

/**
 * Controls of the accounts in view, which the next run checks: source, family, provider filter.
 */
export class ScopeBar {
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;

  /**
   * @param {import("./settings_store.js").SettingsStore} store
   * @param {import("../table/vocabulary.js").Vocabulary} vocabulary its families are those of API keys
   * @param {AbortSignal} signal the page is left
   */
  constructor(store, vocabulary, signal) {
    this.store = store;
    this.families = [...vocabulary.families].filter(([token]) => token !== "all");
    /** @type {Set<string>} */
    this.types = new Set();
    this.source = byId("source-switch");
    this.family = byId("family", HTMLSelectElement);
    this.filter = byId("provider-filter", HTMLInputElement);
    this.#listen(signal);
    this.render();
  }

  /**
   * Add the types of OAuth files seen so far to the choices.
   *
   * @param {string[]} types
   */
  offerTypes(types) {
    const before = this.types.size;
    for (const type of types) this.types.add(type);
    if (this.types.size !== before) this.render();
  }

  render() {
    const { accountSource, targetType, providerFilter } = this.store.current;
    const keys = accountSource === "api_key";
    within(this.source, `[value="${accountSource}"]`, HTMLInputElement).checked = true;
    byId("family-label").textContent = phrase(keys ? "scope.family" : "scope.type");
    whenUnused(this.family, () => {
      this.family.replaceChildren(...this.#choices(keys, targetType).map(([value, text]) =>
        element("option", { text, attributes: { value } })));
      this.family.value = targetType;
    });
    byId("provider-filter-field").hidden = !keys;
    if (this.filter !== document.activeElement) this.filter.value = providerFilter;
  }

  /**
   * @param {boolean} keys
   * @param {string} chosen
   * @returns {Choice[]}
   */
  #choices(keys, chosen) {
    /** @type {Choice[]} */
    const choices = keys
      ? [...this.families]
      : [...this.types].sort().map((type) => [type, type]);
    if (chosen !== "all" && !choices.some(([value]) => value === chosen)) choices.push([chosen, chosen]);
    return [["all", phrase("scope.all")], ...choices];
  }

  /** @param {AbortSignal} signal */
  #listen(signal) {
    for (const source of SETTING_LIMITS.accountSource.values) {
      within(this.source, `[value="${source}"]`, HTMLInputElement).addEventListener("change", () =>
        this.store.replace(switchSource(this.store.current, source)));
    }
    this.family.addEventListener("change", () =>
      this.store.replace(chooseFamily(this.store.current, this.family.value)));
    this.filter.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#saveFilter(), SETTLE_MS);
    });
    this.filter.addEventListener("change", () => this.#saveFilter());
    this.store.addEventListener("change", () => this.render(), { signal });
    signal.addEventListener("abort", () => clearTimeout(this.#timer));
  }

  #saveFilter() {
    clearTimeout(this.#timer);
    const providerFilter = this.filter.value.trim();
    if (providerFilter !== this.store.current.providerFilter) {
      this.store.replace({ ...this.store.current, providerFilter });
    }
  }
}
