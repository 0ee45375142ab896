import { SETTING_LIMITS } from "../_generated_constants.js";
import { element } from "../dom.js";
import { formatCount } from "../formatting.js";
import { READING_AGE } from "./pool_reader.js";

/** @typedef {import("../settings/fields.js").Settings["accountSource"]} Source */

const SECOND_MS = 1_000;
/**
 * Last reading of each source: the choice of the source that a first visit opens on, and the page that opens then, ask
 * the same within a second.
 *
 * @type {WeakMap<import("../connection/client.js").Client, Map<Source, {at: number, accounts: Promise<number>}>>}
 */
const READINGS = new WeakMap();

/**
 * @param {import("../connection/client.js").Client} client
 * @param {Source} source
 * @param {number} age seconds of an earlier reading that will do
 * @returns {Promise<number>}
 */
function accountsOf(client, source, age) {
  const readings = READINGS.get(client.lasting) ?? new Map();
  READINGS.set(client.lasting, readings);
  const now = performance.now();
  const known = readings.get(source);
  if (known && now - known.at < age * SECOND_MS) return known.accounts;
  const asked = client.post("inspections/cost", { accountSource: source }, { age });
  const reading = { at: now, accounts: asked.then(({ accounts }) => accounts) };
  readings.set(source, reading);
  reading.accounts.catch(() => { if (readings.get(source) === reading) readings.delete(source); });
  return reading.accounts;
}

/** Number of accounts of each source, shown on the source switch. */
export class SourceCounts {
  /** @type {Map<Source, number>} */ #counts = new Map();

  /** @param {import("../connection/client.js").Client} client */
  constructor(client) {
    this.client = client;
  }

  /**
   * Read and show the counts; a count that cannot be read is left as it is.
   *
   * @param {number} [age] seconds of a reading of the gateway that will do
   */
  async refresh(age = READING_AGE) {
    await Promise.all(SETTING_LIMITS.accountSource.values.map((source) => this.#read(source, age)));
  }

  /**
   * Return the source to open the page on: the wanted one, unless only the other has accounts.
   *
   * @param {Source} wanted
   */
  opening(wanted) {
    if (this.#counts.get(wanted) !== 0) return wanted;
    return [...this.#counts].find(([, count]) => count > 0)?.[0] ?? wanted;
  }

  /**
   * @param {Source} source
   * @param {number} age
   */
  async #read(source, age) {
    try {
      const accounts = await accountsOf(this.client, source, age);
      this.#counts.set(source, accounts);
      this.#show(source, formatCount(accounts));
    } catch {
      // The pool itself is read next, and its failure is shown there.
    }
  }

  /**
   * @param {Source} source
   * @param {string} text
   */
  #show(source, text) {
    const label = document.querySelector(`#source-switch [value="${source}"]`)?.parentElement;
    if (!label) return;
    const node = label.querySelector("small") ?? label.appendChild(element("small", {}));
    if (node.textContent !== text) node.textContent = text;
  }
}
