/**
 * Key that the panel of a stock gateway keeps in this browser, where a person had it remember the key.
 *
 * Theory of operation: panel and plugin pages have one origin, so that they share the browser's storage. The panel
 * hides what it stores (exclusive or with a text that names host and browser, in base64), which protects it from eyes
 * alone. Anything else than the expected form counts as no key. Nothing is written.
 */

const STORED = "cli-proxy-auth";
const HIDDEN = "enc::v1::";
const HIDDEN_WITH = "cli-proxy-api-webui::secure-storage";

/**
 * Return the key, empty where the panel keeps none for this gateway.
 *
 * @param {() => Pick<Storage, "getItem">} storage asking for it is refused by some browsers
 * @param {{origin: string, host: string, browser: string}} place where the page is, and the name the browser gives
 * @returns {string}
 */
export function panelKey(storage, { origin, host, browser }) {
  try {
    const stored = storage().getItem(STORED) ?? "";
    const text = stored.startsWith(HIDDEN)
      ? shown(stored.slice(HIDDEN.length), `${HIDDEN_WITH}|${host}|${browser}`) : stored;
    const { state } = JSON.parse(text);
    const isOurs = new URL(state.apiBase).origin === origin;
    return isOurs && typeof state.managementKey === "string" ? state.managementKey : "";
  } catch {
    return "";
  }
}

/**
 * @param {string} hidden
 * @param {string} by
 */
function shown(hidden, by) {
  const mask = new TextEncoder().encode(by);
  const bytes = Uint8Array.from(atob(hidden), (sign, at) => sign.charCodeAt(0) ^ mask[at % mask.length]);
  return new TextDecoder().decode(bytes);
}
