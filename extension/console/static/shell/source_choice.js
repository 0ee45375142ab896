import { switchSource } from "../settings/stored_settings.js";

/** @import { Settings } from "../settings/fields.js" */

/** Account source in view, kept with the settings of the next run. Dispatches `change`. */
export class SourceChoice extends EventTarget {
  /** @param {import("../settings/settings_store.js").SettingsStore} store */
  constructor(store) {
    super();
    this.store = store;
    store.addEventListener("change", (event) => {
      const before = /** @type {CustomEvent} */ (event).detail;
      if (before.accountSource !== this.current) this.dispatchEvent(new Event("change"));
    });
  }

  get current() {
    return this.store.current.accountSource;
  }

  /** @param {Settings["accountSource"]} source */
  choose(source) {
    if (source !== this.current) this.store.replace(switchSource(this.store.current, source));
  }
}
