import { VENDORS } from "../_generated_constants.js";
import { text } from "../language/catalogue.js";

/** @type {Set<string>} */
const STANDING_IN = new Set(VENDORS);

/**
 * Name a host as the service groups accounts by it: the vendor stands in for the host where accounts have no base URL.
 *
 * @param {string} host
 */
export function hostName(host) {
  if (!host) return text("hold.unknown_host");
  return STANDING_IN.has(host) ? text("hold.vendor_address", { vendor: host }) : host;
}
