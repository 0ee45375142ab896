/**
 * Buttons that act once at a time. While an answer is open its button is marked busy, which the styles show as a ring,
 * and does nothing more: a slow service would otherwise get a change as often as its button was pressed. The button is
 * not disabled, which would take the keyboard away from it.
 */

/**
 * Carry out what a button does, unless it still does so.
 *
 * @param {HTMLElement} button
 * @param {() => unknown} act its promise, if it returns one, is open for as long as the button is busy
 */
export async function once(button, act) {
  if (button.getAttribute("aria-busy") === "true") return;
  const done = act();
  if (!(done instanceof Promise)) return;
  button.setAttribute("aria-busy", "true");
  try {
    await done;
  } finally {
    button.removeAttribute("aria-busy");
  }
}

/**
 * Have a button act once at a time.
 *
 * @template {HTMLElement} T
 * @param {T} button
 * @param {() => unknown} act
 * @returns {T}
 */
export function actsOnce(button, act) {
  button.addEventListener("click", () => once(button, act));
  return button;
}

/**
 * Have a form act once at a time, instead of being sent by the browser.
 *
 * @param {HTMLFormElement} form
 * @param {() => unknown} act
 */
export function submitsOnce(form, act) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const button = form.querySelector("[type=submit]");
    once(button instanceof HTMLElement ? button : form, act);
  });
}
