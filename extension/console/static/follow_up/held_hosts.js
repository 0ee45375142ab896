import { element } from "../dom.js";
import { plural } from "../formatting.js";
import { listing, paragraph, smallButton, titled } from "./listing.js";

/** @import { PlannedView } from "../../_generated_types.js" */

/** Changes of a plan that are on hold: one line for each host, with one button that includes them. */
export class HeldHosts {
  /** @type {Map<string, PlannedView[]>} */ #hosts = new Map();
  /** @type {Set<string>} */ #included = new Set();

  /** @param {PlannedView[]} held */
  constructor(held) {
    for (const each of held) this.#hosts.set(each.host, [...this.#hosts.get(each.host) ?? [], each]);
  }

  /** Hosts that are included. */
  get released() {
    return [...this.#included];
  }

  /** Changes at the hosts that are included. */
  get changes() {
    return this.released.flatMap((host) => this.#hosts.get(host) ?? []);
  }

  /** @returns {HTMLElement[]} */
  nodes() {
    if (!this.#hosts.size) return [];
    const rows = [...this.#hosts].map(([host, held]) =>
      [host || "unknown host", plural(held.length, "account"), held[0].against, this.#button(host)]);
    return [titled("On hold", paragraph("Left out unless you include them."),
      element("div", { class: "held-hosts" }, listing(["Host", "Accounts", "Reason", ""], rows)))];
  }

  /** @param {string} host */
  #button(host) {
    const button = smallButton("Include", () => {
      if (!this.#included.delete(host)) this.#included.add(host);
      button.setAttribute("aria-pressed", String(this.#included.has(host)));
    }, `Include the accounts on hold at ${host || "unknown host"}`);
    button.setAttribute("aria-pressed", "false");
    return button;
  }
}
