/** Selected accounts of the table, by id. Dispatches `change`. */
export class Selection extends EventTarget {
  /** @type {Set<number>} */ #ids = new Set();
  /** @type {number | null} account that was picked last, where a range begins */ #last = null;

  /** @param {() => number[]} [order] accounts that can be selected, in the order shown */
  constructor(order = () => []) {
    super();
    this.order = order;
  }

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
   * Select or leave out an account, or a range: all that are shown from the one picked last to it.
   *
   * @param {number} id
   * @param {boolean} selected
   * @param {boolean} [isRange]
   */
  pick(id, selected, isRange = false) {
    const order = this.order();
    const ends = [order.indexOf(this.#last ?? id), order.indexOf(id)];
    const range = order.slice(Math.min(...ends), Math.max(...ends) + 1);
    this.#last = id;
    this.set(isRange && !ends.includes(-1) ? range : [id], selected);
  }

  /**
   * Select these accounts only.
   *
   * @param {Iterable<number>} ids
   */
  replace(ids) {
    this.#ids = new Set(ids);
    this.#last = null;
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

/** @param {Event} event */
export function hasShift(event) {
  return event instanceof MouseEvent && event.shiftKey;
}

/**
 * Keep a press with Shift from selecting the text between the press before and this one.
 *
 * @param {Event} event
 */
export function keepText(event) {
  if (hasShift(event)) event.preventDefault();
}
