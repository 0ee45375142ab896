/**
 * Which of several readings of the same thing counts, when their answers come in another order than they were asked
 * for: one that was begun before another that has been shown already tells of an older state, and is dropped.
 */
export class Latest {
  #begun = 0;
  /** @type {Map<unknown, number>} */ #shown = new Map();

  /** A ticket for a reading that begins now. */
  begin() {
    return ++this.#begun;
  }

  /**
   * Whether an answer still counts; if so, it is what is shown of the thing from now on.
   *
   * @param {number} ticket of the reading
   * @param {unknown} [thing] what was read, where there are several
   */
  counts(ticket, thing = null) {
    if (ticket < (this.#shown.get(thing) ?? 0)) return false;
    this.#shown.set(thing, ticket);
    return true;
  }
}
