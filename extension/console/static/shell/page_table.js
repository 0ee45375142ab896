/**
 * Pages in the order of the navigation. Each has a folder `pages/<name>` whose `page.js` exports `mount`, and a text
 * `pages.<name>` in the catalogues.
 */
export const PAGES = /** @type {const} */ (["overview", "inspection", "runs", "usage", "requests", "prices", "keys",
  "activity", "schedules", "notifications", "settings"]);

/** @typedef {typeof PAGES[number]} PageName */

/** Pages that the built console serves: links to them are the browser's. */
const REPLACED = [
  "activity", "fleet", "inspection", "keys", "notifications", "overview", "prices", "requests", "runs", "schedules",
  "settings", "usage", "workers",
];

/**
 * Return the name of the page that an address shows, or null for an unknown one.
 *
 * @param {URL} address
 * @returns {PageName | null}
 */
export function pageOf({ pathname }) {
  const last = pathname.slice(pathname.lastIndexOf("/") + 1);
  return PAGES.find((name) => name === last && !REPLACED.includes(name)) ?? null;
}
