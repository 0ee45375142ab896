export const KEY_HEADER = "X-Management-Key";

const KEYED_PAGE = "meta[name=poolkeeper-session][content=key]";

/** Return whether there are no sessions: a gateway serves the page as a plugin, and wants the key each time. */
export function needsKey(): boolean {
  return typeof document !== "undefined" && document.querySelector(KEYED_PAGE) !== null;
}

/** Return the bytes of a text, one character each: a header of `fetch` takes nothing else. */
export function asHeader(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}
