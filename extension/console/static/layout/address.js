import { element } from "../dom.js";

/** Places at which a line may end: after slashes, before a port and after the dots of a name; numbers stay whole. */
const BREAKS = /(?<=\/)(?!\/)|(?<=:)(?=\d+(?:\/|$))|(?<=\.)(?=\p{L})/u;

/**
 * Host or URL that breaks at its marks where it does not fit on a line.
 *
 * @param {string} text from outside
 */
export function address(text) {
  return element("bdi", { class: "address" }, ...breakable(text));
}

/**
 * Parts of a host or URL, with a place to break after each but the last.
 *
 * @param {string} text
 */
function breakable(text) {
  return addressParts(text).flatMap((part, at) => (at ? [element("wbr"), part] : [part]));
}

/**
 * Split a host or URL where a line may end.
 *
 * @param {string} text
 */
export function addressParts(text) {
  return text.split(BREAKS);
}
