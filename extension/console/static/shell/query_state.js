/**
 * State of a page in the query string of its address, so that a view can be linked to. Dispatches `change` when back or
 * forward has changed it.
 */
export class QueryState extends EventTarget {
  /** @param {() => Location} location */
  constructor(location = () => window.location) {
    super();
    this.location = location;
  }

  /**
   * Return a value of the query; empty when it is absent.
   *
   * @param {string} name
   */
  get(name) {
    return this.all().get(name) ?? "";
  }

  /**
   * Return the values of a list that `set` has joined.
   *
   * @param {string} name
   */
  list(name) {
    return this.get(name).split(",").filter(Boolean);
  }

  all() {
    return new URLSearchParams(this.location().search);
  }

  /**
   * Change values of the query; an empty one leaves it.
   *
   * @param {Record<string, string | number | string[]>} changes
   * @param {{push?: boolean}} [how] `push` makes a step that "back" undoes
   */
  set(changes, { push = false } = {}) {
    const query = this.all();
    for (const [name, value] of Object.entries(changes)) {
      const written = Array.isArray(value) ? value.join(",") : String(value);
      if (written) query.set(name, written);
      else query.delete(name);
    }
    const { pathname, search } = this.location();
    const wanted = query.size ? `?${query}` : "";
    if (wanted === search) return;
    if (push) window.history.pushState(null, "", pathname + wanted);
    else window.history.replaceState(window.history.state, "", pathname + wanted);
  }
}
