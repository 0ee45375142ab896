import { FIELDS } from "./fields.js";
import { parseStored, STORAGE_KEY } from "./stored_settings.js";

/** @import { Settings } from "./fields.js" */

/**
 * Run settings, kept in local storage. Dispatches `change` with the previous settings as `detail`.
 */
export class SettingsStore extends EventTarget {
  /**
   * @param {() => Storage} storage asking for it is refused by some browsers
   * @param {Partial<Settings>} defaults the service's, of which this page knows some
   * @param {string[]} families of API keys
   */
  constructor(storage, defaults, families) {
    super();
    this.storage = storage;
    this.families = families;
    const known = FIELDS.filter(({ name }) => name in defaults).map(({ name }) => [name, defaults[name]]);
    this.defaults = /** @type {Settings} */ (Object.fromEntries(known));
    this.current = { ...this.defaults };
    /** Whether this browser had settings of an earlier visit. */
    this.wasStored = false;
    /** Whether the latest change is a step that "back" undoes. */
    this.isStep = true;
  }

  /** Restore the stored settings and return a message for each ignored one. */
  restore() {
    const stored = this.#read();
    this.wasStored = stored !== null;
    const { settings, ignored } = parseStored(stored, this.defaults, this.families);
    this.current = settings;
    if (ignored.length) this.#write();
    return ignored;
  }

  /**
   * @param {Settings} settings
   * @param {{isStep?: boolean}} [how] no step: nobody has chosen the settings before
   */
  replace(settings, { isStep = true } = {}) {
    const before = this.current;
    this.current = settings;
    this.isStep = isStep;
    this.#write();
    this.dispatchEvent(new CustomEvent("change", { detail: before }));
  }

  /** Reset to the service's defaults, except for the accounts in view. */
  reset() {
    const kept = FIELDS.filter((field) => field.scope && field.name in this.current);
    this.replace({ ...this.defaults, ...Object.fromEntries(kept.map(({ name }) => [name, this.current[name]])) });
  }

  #read() {
    try {
      return this.storage().getItem(STORAGE_KEY);
    } catch {
      return null;
    }
  }

  #write() {
    try {
      this.storage().setItem(STORAGE_KEY, JSON.stringify(this.current));
    } catch {
      // A browser that refuses storage still inspects; only the memory of the settings is lost.
    }
  }
}
