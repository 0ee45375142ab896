/** Selected accounts of the table, by id. Dispatches `change`. */
export class Selection extends EventTarget {
  /** @type {Set<number>} */ #ids = new Set();

  get size() {
    return this.#ids.size;
  }

  /** @param {number} id */
  has(id) {
    return this.#ids.has(id);
  }

  /** @returns {number[]} */
  ids() {
    return [...this.#ids];
  }

  /**
   * @param {Iterable<number>} ids
   * @param {boolean} selected
   */
  set(ids, selected) {
    for (const id of ids) {
      if (selected) this.#ids.add(id);
      else this.#ids.delete(id);
    }
    this.dispatchEvent(new Event("change"));
  }

  /**
   * Select these accounts only.
   *
   * @param {Iterable<number>} ids
   */
  replace(ids) {
    this.#ids = new Set(ids);
    this.dispatchEvent(new Event("change"));
  }

  /**
   * Drop accounts that are gone.
   *
   * @param {Map<number, unknown>} accounts
   */
  keepOnly(accounts) {
    const before = this.#ids.size;
    for (const id of this.#ids) if (!accounts.has(id)) this.#ids.delete(id);
    if (this.#ids.size !== before) this.dispatchEvent(new Event("change"));
  }
}
