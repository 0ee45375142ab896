/** Return the base URL of the API, as the service wrote it into the document. */
export function baseAddress(): URL {
  const mark = document.querySelector<HTMLMetaElement>("meta[name=poolkeeper-paths]");
  return new URL(mark?.content ?? "", document.baseURI);
}
