/**
 * Presses of the mouse that the browser would lose.
 *
 * A browser sends a click only to an element that was both pressed and released. Between the two, a tenth of a second
 * for most people, a result may arrive: the row is built anew, or the lines above it need more room and it moves away.
 * The click would be lost then. So a press counts for what was pressed, as long as the mouse stayed where it was: the
 * click goes to that control, wherever it is by now, or to its successor: the only control of the page with the same
 * name, in a row of the same subject. Where there are two, or where a dialog took the place, the click stays lost, as
 * nothing tells which one was meant.
 */

/** Farthest that a mouse moves between the press and the release of a click, in pixels of the style. */
const STILL = 4;
const CONTROLS = [
  "button", "summary", "a[href]", "label", "input[type=checkbox]", "input[type=radio]", "tr[data-account]",
].join();

/** @typedef {{target: Element, owner: HTMLElement, name: string, page: string, x: number, y: number}} Press */

/** Have each press count for what was pressed. */
export function keepPresses() {
  /** @type {Press | null} */ let press = null;
  /** @type {Press | null} */ let released = null;
  const forget = () => { press = null; };
  document.addEventListener("mousedown", (event) => { press = pressOf(event); }, { capture: true });
  document.addEventListener("dragstart", forget, { capture: true });
  document.addEventListener("mouseup", (event) => {
    const pressed = press;
    forget();
    if (!pressed || event.button !== 0 || !isStill(pressed, event)) return;
    released = pressed;
    setTimeout(() => { // the browser's own click comes before
      if (released === pressed) heirOf(pressed)?.dispatchEvent(clickOf(event));
    }, 0);
  }, { capture: true });
  document.addEventListener("click", ({ target }) => {
    if (released && target instanceof Node && released.owner.contains(target)) released = null;
  }, { capture: true });
}

/**
 * @param {MouseEvent} event
 * @returns {Press | null}
 */
function pressOf({ target, button, clientX: x, clientY: y }) {
  const owner = target instanceof Element && button === 0 ? target.closest(CONTROLS) : null;
  if (!(target instanceof Element) || !(owner instanceof HTMLElement)) return null;
  return { target, owner, name: nameOf(owner), page: window.location.pathname, x, y };
}

/**
 * @param {Press} press
 * @param {MouseEvent} release
 */
function isStill({ x, y }, { clientX, clientY }) {
  return Math.hypot(clientX - x, clientY - y) <= STILL && (document.getSelection()?.isCollapsed ?? true);
}

/**
 * Return the element that a press without a click was meant for.
 *
 * @param {Press} press
 */
function heirOf({ target, owner, name, page }) {
  if (window.location.pathname !== page) return null;
  const dialog = document.querySelector("dialog:modal");
  if (dialog && !dialog.contains(owner)) return null;
  if (target.isConnected) return canBePressed(owner) ? target : null;
  const connected = owner.isConnected ? [owner] : [];
  const heirs = connected.length || dialog ? connected : namesakes(owner, name);
  return heirs.length === 1 && canBePressed(heirs[0]) ? heirs[0] : null;
}

/** @param {Element} element */
function canBePressed(element) {
  return element.checkVisibility() && !element.matches(":disabled");
}

/**
 * @param {HTMLElement} owner
 * @param {string} name
 */
function namesakes(owner, name) {
  return [...document.querySelectorAll(owner.tagName)].filter((each) =>
    each instanceof HTMLElement && each.matches(CONTROLS) && nameOf(each) === name);
}

/**
 * Name a control by what it is, in which row, and in which part of the page.
 *
 * @param {HTMLElement} owner
 */
function nameOf(owner) {
  const { control, account } = owner.dataset;
  // What it does counts as well: in the place of "Disable" may be "Enable" by now.
  const said = account ?? [control ?? owner.id, owner.getAttribute("aria-label") ?? owner.textContent];
  const row = owner.closest("tr");
  const subject = row && (row.dataset.account ?? row.dataset.subject ?? row.textContent);
  const part = owner.closest("section, aside, dialog, nav");
  return JSON.stringify([said, owner.getAttribute("href"), subject, part?.id, part?.getAttribute("aria-label")]);
}

/** @param {MouseEvent} release */
function clickOf({ clientX, clientY, detail, shiftKey, ctrlKey, metaKey, altKey }) {
  return new MouseEvent("click", {
    bubbles: true, cancelable: true, composed: true, view: window,
    clientX, clientY, detail, shiftKey, ctrlKey, metaKey, altKey,
  });
}
