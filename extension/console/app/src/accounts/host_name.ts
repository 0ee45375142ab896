import { VENDORS } from "../connection/api.js";
import { text } from "../language/catalogue.js";

const STANDING_IN: ReadonlySet<string> = new Set(VENDORS);

/** Return the host of a base URL, or the provider where there is none, as the service groups accounts by it. */
export function hostOf(baseUrl: string, provider: string): string {
  return (/^[a-z][a-z0-9+.-]*:\/\/([^/?#]+)/i.exec(baseUrl)?.[1] ?? provider).toLowerCase();
}

/** Name a host; the vendor stands in for the host of accounts without a base URL. */
export function hostName(host: string): string {
  if (!host) return text("hold.unknown_host");
  return STANDING_IN.has(host) ? text("hold.vendor_address", { vendor: host }) : host;
}
