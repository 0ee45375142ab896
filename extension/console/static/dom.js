/**
 * Building nodes. Text only ever enters the page as text: nothing here, or anywhere else in the page, parses HTML.
 */

/**
 * @typedef {Object} Properties
 * @property {string} [class]
 * @property {string} [text]
 * @property {Record<string, string>} [data]
 * @property {Record<string, EventListener>} [on] listeners by event name
 * @property {Record<string, string | number | boolean | undefined>} [attributes] `true` sets an empty attribute,
 *     `false` and `undefined` none
 */

/**
 * @param {string} tag
 * @param {Properties} [properties]
 * @param {...(Node | string)} children
 * @returns {HTMLElement}
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
 * The element of the document with this id; the page's own markup guarantees it.
 *
 * @param {string} id
 * @returns {any}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no element "${id}".`);
  return found;
}

/**
 * Puts `nodes` into `parent` in order, touching only what is out of place, so that focus and scroll positions stay.
 *
 * @param {Element} parent
 * @param {Element[]} nodes
 */
export function arrange(parent, nodes) {
  const wanted = new Set(nodes);
  for (const child of [...parent.children]) if (!wanted.has(child)) child.remove();
  let place = parent.firstElementChild;
  for (const node of nodes) {
    if (node === place) place = place.nextElementSibling;
    else parent.insertBefore(node, place);
  }
}

/**
 * A control that cannot be used, yet can be reached and says why.
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
