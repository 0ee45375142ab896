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

/** Place of the page, and the name that the browser gives. */
export interface PanelPlace {
  origin: string;
  host: string;
  browser: string;
}

/** Return the key, empty where the panel keeps none for this gateway. Some browsers refuse to name the storage. */
export function panelKey(storage: () => Pick<Storage, "getItem">, { origin, host, browser }: PanelPlace): string {
  try {
    const stored = storage().getItem(STORED) ?? "";
    const text = stored.startsWith(HIDDEN)
      ? unmasked(stored.slice(HIDDEN.length), `${HIDDEN_WITH}|${host}|${browser}`)
      : stored;
    const { state } = JSON.parse(text);
    const isOurs = new URL(state.apiBase).origin === origin;
    return isOurs && typeof state.managementKey === "string" ? state.managementKey : "";
  } catch {
    return "";
  }
}

function unmasked(hidden: string, secret: string): string {
  const mask = new TextEncoder().encode(secret);
  const bytes = Uint8Array.from(atob(hidden), (sign, at) => sign.charCodeAt(0) ^ mask[at % mask.length]);
  return new TextDecoder().decode(bytes);
}
