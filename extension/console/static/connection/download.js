import { element } from "../dom.js";
import { actsOnce } from "../layout/once.js";

/**
 * @import { Client, Query } from "./client.js"
 * @import { Notices } from "../notices.js"
 */

const KEPT_MS = 60_000;

/**
 * Build a control that saves an answer of the API as a file.
 *
 * A link carries no key. Where each request needs it, a button reads the answer and saves that.
 *
 * @param {{client: Client, notices: Notices}} connection
 * @param {string} label
 * @param {string} path
 * @param {Query} query
 */
export function downloadControl({ client, notices }, label, path, query) {
  const id = `export-${query.format}`;
  if (!client.isKeyed) {
    return element("a", { text: label, attributes: { id, href: client.address(path, query).href, download: true } });
  }
  return actsOnce(
    element("button", { class: "plain small", text: label, attributes: { id, type: "button" } }),
    () => notices.attempt("export", async () => save(await client.file(path, query))));
}

/** @param {{name: string, content: Blob}} file */
function save({ name, content }) {
  const address = URL.createObjectURL(content);
  element("a", { attributes: { href: address, download: name } }).click();
  setTimeout(() => { URL.revokeObjectURL(address); }, KEPT_MS);
}
