/** Time of the last look at the overview, kept in this browser. */

const STORAGE_KEY = "poolkeeper.overview.seen";
const DAY = 24 * 3_600_000;

/**
 * Return the time of the last look before this one, at most a month ago; without one, a day ago.
 *
 * @param {number} now
 * @param {() => Storage} storage
 */
export function lastLook(now, storage = () => window.localStorage) {
  try {
    const seen = Number(storage().getItem(STORAGE_KEY));
    return seen > 0 && seen <= now ? Math.max(seen, now - 30 * DAY) : now - DAY;
  } catch {
    return now - DAY;
  }
}

/**
 * Return whether this browser has looked before.
 *
 * @param {() => Storage} storage
 */
export function hasLooked(storage = () => window.localStorage) {
  try {
    return storage().getItem(STORAGE_KEY) !== null;
  } catch {
    return false;
  }
}

/**
 * @param {number} now
 * @param {() => Storage} storage
 */
export function storeLook(now, storage = () => window.localStorage) {
  try {
    storage().setItem(STORAGE_KEY, String(now));
  } catch {
    // A browser that refuses storage counts from a day ago.
  }
}
