/**
 * Construction of nodes. All text enters the page as text; no module parses HTML.
 */

/**
 * @typedef {object} Properties
 * @property {string} [class]
 * @property {string} [text]
 * @property {Record<string, string>} [data]
 * @property {Record<string, (event: Event) => void>} [on] listeners by event name
 * @property {Record<string, string | number | boolean | undefined>} [attributes] `true` sets an empty attribute,
 *     `false` and `undefined` none
 */

/**
 * Build an element with its properties and children.
 *
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Properties} [properties]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function element(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  if (properties.class) node.className = properties.class;
  if (properties.text !== undefined) node.textContent = properties.text;
  Object.assign(node.dataset, properties.data ?? {});
  for (const [name, value] of Object.entries(properties.attributes ?? {})) {
    if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== undefined) node.setAttribute(name, String(value));
  }
  for (const [name, listener] of Object.entries(properties.on ?? {})) node.addEventListener(name, listener);
  node.append(...children);
  return node;
}

/**
 * Return the element of the document with this id. The page's own markup guarantees that it exists.
 *
 * @overload
 * @param {string} id
 * @returns {HTMLElement}
 */
/**
 * @template {HTMLElement} T
 * @overload
 * @param {string} id
 * @param {new () => T} type
 * @returns {T}
 */
/**
 * @param {string} id
 * @param {new () => HTMLElement} type
 * @returns {HTMLElement}
 */
export function byId(id, type = HTMLElement) {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`The page has no ${type.name} "${id}".`);
  return found;
}

/**
 * Return the first element within `parent` that matches a selector. The page's own markup guarantees that it exists.
 *
 * @template {Element} T
 * @param {Element} parent
 * @param {string} selector
 * @param {new () => T} type
 * @returns {T}
 */
export function within(parent, selector, type) {
  const found = parent.querySelector(selector);
  if (!(found instanceof type)) throw new Error(`The page has no ${type.name} "${selector}" where it is needed.`);
  return found;
}

/**
 * Put `nodes` into `parent` in order, moving only misplaced ones, so that focus and scroll positions stay.
 *
 * @param {Element} parent
 * @param {Element[]} nodes
 */
export function arrange(parent, nodes) {
  const wanted = new Set(nodes);
  for (const child of [...parent.children]) if (!wanted.has(child)) child.remove();
  let place = parent.firstElementChild;
  for (const node of nodes) {
    if (place && node === place) place = place.nextElementSibling;
    else parent.insertBefore(node, place);
  }
}

/**
 * Put `nodes` in the place of what a parent has. The keyboard stays with its node, or goes to the one with its id.
 *
 * @param {Element} parent
 * @param {Element[]} nodes
 */
export function refill(parent, nodes) {
  const active = document.activeElement;
  const focused = active instanceof HTMLElement && parent.contains(active) ? active : null;
  parent.replaceChildren(...nodes);
  if (focused?.isConnected) focused.focus();
  else if (focused?.id) document.getElementById(focused.id)?.focus();
}

/**
 * Disable a control that stays reachable and explains its reason.
 *
 * @param {HTMLElement} control
 * @param {string} reason empty: the control can be used
 */
export function explainDisabled(control, reason) {
  if (reason) {
    control.setAttribute("aria-disabled", "true");
    control.dataset.reason = reason;
    control.setAttribute("aria-description", reason);
  } else {
    control.removeAttribute("aria-disabled");
    control.removeAttribute("aria-description");
    delete control.dataset.reason;
  }
}
