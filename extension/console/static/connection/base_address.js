/** Return the base URL of the API, as the service wrote it into the document. */
export function baseAddress() {
  const { content } = /** @type {HTMLMetaElement} */ (document.querySelector("meta[name=poolkeeper-paths]"));
  return new URL(content, document.baseURI);
}
