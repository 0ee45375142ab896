/**
 * Order of concurrent readings of the same thing. An answer to a reading that began before the shown one is dropped,
 * because it describes an older state.
 */
export class Latest {
  #begun = 0;
  /** @type {Map<unknown, number>} */ #shown = new Map();

  /** Return a ticket for a reading that begins now. */
  begin() {
    return ++this.#begun;
  }

  /**
   * Return whether an answer still counts, and record it as the one shown if so.
   *
   * @param {number} ticket of the reading
   * @param {unknown} [thing] subject of the reading, where there are several
   */
  counts(ticket, thing = null) {
    if (ticket < (this.#shown.get(thing) ?? 0)) return false;
    this.#shown.set(thing, ticket);
    return true;
  }

  /**
   * Return whether an answer of a reading in progress would still count.
   *
   * @param {number} ticket
   * @param {unknown} [thing]
   */
  isOpen(ticket, thing = null) {
    return ticket >= (this.#shown.get(thing) ?? 0);
  }
}
