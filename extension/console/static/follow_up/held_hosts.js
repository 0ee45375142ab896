import { element } from "../dom.js";
import { holdReasons } from "./hold_reasons.js";
import { listing, paragraph, smallButton, titled } from "./listing.js";
import { hostName } from "../layout/host_name.js";
import { text } from "../language/catalogue.js";
import { holdText } from "../language/reasons.js";
import { address } from "../layout/address.js";

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
    const rows = [...this.#hosts].map(([host, held]) => [
      address(hostName(host)), text("count.accounts", { n: held.length }),
      holdReasons(held.map((each) => holdText(each, each.against))),
      this.#button(host),
    ]);
    return [titled(text("hold.title"), paragraph(text("hold.left_out")),
      element("div", { class: "held-hosts" },
        listing([text("hold.host"), text("hold.accounts"), text("hold.reason"), ""], rows)))];
  }

  /** @param {string} host */
  #button(host) {
    const button = smallButton(text("hold.include"), () => {
      if (!this.#included.delete(host)) this.#included.add(host);
      button.setAttribute("aria-pressed", String(this.#included.has(host)));
    }, text("hold.include_at", { host: hostName(host) }));
    button.setAttribute("aria-pressed", "false");
    return button;
  }
}
