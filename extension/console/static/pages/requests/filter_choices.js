import { text } from "../../language/catalogue.js";
import { choice } from "../../layout/tile.js";
import { shownNames } from "../../usage/selection.js";

/**
 * @import { GroupView } from "../../../_generated_types.js"
 * @import { QueryState } from "../../shell/query_state.js"
 * @import { Period } from "../../usage/periods.js"
 * @typedef {"model" | "account" | "client"} Name
 */

/** Names of a period that requests can be filtered by. */
const NAMES = /** @type {const} */ (["model", "account", "client"]);
/** Most names that one choice offers, the most used first. */
const OFFERED = 100;

/** Choices of model, account and client key among those that a period has, whatever else is filtered. */
export class FilterChoices {
  /** @type {Map<Name, readonly GroupView[]>} */ #found = new Map();
  #period = "";

  /** @param {import("../../connection/client.js").Client} client */
  constructor(client) {
    this.client = client;
  }

  /**
   * Read the names of a period; those of a period that was read last are kept.
   *
   * @param {string} name of the period, which moves with the time of day
   * @param {Period} period
   */
  async read(name, period) {
    if (name === this.#period) return;
    const found = await Promise.all(NAMES.map((by) =>
      this.client.get("../usage/summary", { ...period, by, limit: OFFERED })));
    this.#found = new Map(NAMES.map((by, at) => [by, found[at].groups.filter((group) => group.name)]));
    this.#period = name;
  }

  /**
   * Build one choice for each kind of name.
   *
   * @param {QueryState} query
   * @param {ReadonlyMap<string, string>} aliases of client keys, by fingerprint
   * @param {() => void} onChange
   */
  nodes(query, aliases, onChange) {
    return NAMES.map((by) => {
      const shown = shownNames(by, aliases);
      const chosen = query.get(by);
      const found = this.#found.get(by) ?? [];
      /** @type {[string, string][]} */
      const options = found.map(({ name, label }) => [name, shown(name, label).slice(0, 80)]);
      if (chosen && !options.some(([name]) => name === chosen)) options.unshift([chosen, shown(chosen).slice(0, 80)]);
      return choice(by, text(`requests_column.${by}`), [["", text("requests.all")], ...options], chosen, (value) => {
        query.set({ [by]: value }, { push: true });
        onChange();
      });
    });
  }
}
