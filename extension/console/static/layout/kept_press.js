/**
 * Presses of the mouse on what is built anew before the release. A browser sends a click to the element that was both
 * pressed and released; where a row was replaced in between, because a result arrived, the click would be lost. It is
 * sent to the successor then, but only if that came to the same place: never to another account that moved there.
 */

/** @typedef {{element: Element, identity: string}} Press */

/** Have presses on rows and their controls count although these are replaced before the release. */
export function keepPresses() {
  /** @type {Press | null} */
  let press = null;
  document.addEventListener("mousedown", ({ target, button }) => {
    press = target instanceof Element && button === 0 ? { element: target, identity: identityOf(target) } : null;
  }, { capture: true });
  document.addEventListener("mouseup", (event) => {
    const pressed = press;
    press = null;
    if (pressed && event.button === 0 && isSuccessor(event.target, pressed)) event.target.dispatchEvent(clickOf(event));
  });
}

/**
 * @param {EventTarget | null} target
 * @param {Press} pressed
 * @returns {target is Element}
 */
function isSuccessor(target, { element, identity }) {
  return !element.isConnected && identity !== "" && target instanceof Element && identityOf(target) === identity;
}

/**
 * Name the control or row that an element belongs to; empty where nothing tells it from others beside it.
 *
 * @param {Element} element
 */
function identityOf(element) {
  const owner = element.closest("[data-control], tr[data-account], a[href]");
  if (!(owner instanceof HTMLElement)) return "";
  const { control, account } = owner.dataset;
  const name = control === undefined ? account ?? owner.getAttribute("href") : control;
  const attribute = control !== undefined ? "data-control" : account !== undefined ? "data-account" : "href";
  const around = owner.parentElement?.closest("table, aside, section") ?? document.body;
  const isOnly = around.querySelectorAll(`[${attribute}="${CSS.escape(name ?? "")}"]`).length === 1;
  return isOnly ? `${around.id} ${attribute} ${name}` : "";
}

/** @param {MouseEvent} release */
function clickOf({ clientX, clientY, detail, shiftKey, ctrlKey, metaKey, altKey }) {
  return new MouseEvent("click", {
    bubbles: true, cancelable: true, composed: true, view: window,
    clientX, clientY, detail, shiftKey, ctrlKey, metaKey, altKey,
  });
}
