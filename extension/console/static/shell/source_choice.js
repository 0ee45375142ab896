import { SourceCounts } from "../pool/source_counts.js";
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

  /**
   * @param {Settings["accountSource"]} source
   * @param {{isStep?: boolean}} [how]
   */
  choose(source, how) {
    if (source !== this.current) this.store.replace(switchSource(this.store.current, source), how);
  }
}

/** Longest wait for the numbers of accounts, which come from the gateway, before the first page opens. */
const MOST_FOR_COUNTS_MS = 1_500;

/**
 * Wait a while for the choice of the source that has accounts, which is made once they are counted.
 *
 * @param {import("../connection/client.js").Client} client
 * @param {import("../settings/settings_store.js").SettingsStore} store
 */
export async function openOnAccounts(client, store) {
  const late = new Promise((resolve) => { setTimeout(resolve, MOST_FOR_COUNTS_MS); });
  await Promise.race([chooseCounted(client, store), late]);
}

/**
 * Choose the source that has accounts once they are counted, unless a person or a link chose one before.
 *
 * @param {import("../connection/client.js").Client} client
 * @param {import("../settings/settings_store.js").SettingsStore} store
 */
async function chooseCounted(client, store) {
  const { current } = store;
  const isLinked = new URLSearchParams(window.location.search).has("source");
  const counts = new SourceCounts(client);
  await counts.refresh();
  if (isLinked || store.current !== current) return;
  new SourceChoice(store).choose(counts.opening(current.accountSource), { isStep: false });
}
