import { text } from "../language/catalogue.js";

/** Host names of a network, with a dot, a port or brackets; a vendor's name has none of them. */
const OF_NETWORK = /[.:[]|^localhost$/;

/**
 * Name a host as the service groups accounts by it: the vendor stands in for the host where accounts have no base URL.
 *
 * @param {string} host
 */
export function hostName(host) {
  if (!host) return text("hold.unknown_host");
  return OF_NETWORK.test(host) ? host : text("hold.vendor_address", { vendor: host });
}
