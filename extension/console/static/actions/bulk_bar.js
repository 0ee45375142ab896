import { byId, element, explainDisabled } from "../dom.js";
import { deleteRefusal } from "./change_plan.js";
import { text } from "../language/catalogue.js";
import { isOnHold, isStillOnHold } from "../table/query.js";

/**
 * Actions on the selection, and shortcuts that select all filtered or all recommended rows.
 */
export class BulkBar {
  /**
   * @param {import("../table/selection.js").Selection} selection
   * @param {{onSwitch: (disabled: boolean) => void, onDelete: () => void}} handlers
   */
  constructor(selection, { onSwitch, onDelete }) {
    this.selection = selection;
    this.text = byId("selected");
    this.disable = byId("disable-selected", HTMLButtonElement);
    this.enable = byId("enable-selected", HTMLButtonElement);
    this.remove = byId("delete-selected");
    this.reason = byId("delete-reason");
    this.disable.addEventListener("click", () => onSwitch(true));
    this.enable.addEventListener("click", () => onSwitch(false));
    this.remove.addEventListener("click", () => {
      if (this.remove.getAttribute("aria-disabled") !== "true") onDelete();
    });
    this.recommended = this.#shortcut();
    this.everything = this.#shortcut();
    this.nothing = this.#shortcut();
    this.nothing.textContent = text("bulk.clear");
    this.nothing.addEventListener("click", () => selection.replace([]));
    this.text.after(this.recommended, this.everything, this.nothing);
    this.recommended.addEventListener("click", () => selection.replace(this.recommendedIds));
    this.everything.addEventListener("click", () => selection.replace(this.filteredIds));
    placeHead(byId("bulk"), byId("results", HTMLTableElement));
    /** @type {number[]} */ this.recommendedIds = [];
    /** @type {number[]} */ this.filteredIds = [];
  }

  /**
   * @param {import("../table/rows.js").Row[]} filtered rows that pass the filters
   * @param {import("../table/rows.js").Account[]} selected
   * @param {string} source of the accounts in the table
   * @param {boolean} isOutdated whether the recommendations wait for the end of a run, which puts some on hold
   */
  render(filtered, selected, source, isOutdated) {
    const present = filtered.filter((row) => row.account);
    this.filteredIds = present.map((row) => row.id);
    this.recommendedIds = present.filter(isRecommended).map((row) => row.id);
    const said = saidOf(selected, this.filteredIds);
    if (this.text.textContent !== said) this.text.textContent = said;
    this.recommended.hidden = isOutdated || this.recommendedIds.length === 0;
    this.recommended.textContent = text("bulk.recommended", { n: this.recommendedIds.length });
    this.everything.hidden = present.length === 0 || selected.length >= present.length;
    this.everything.textContent = text("bulk.everything", { rows: text("count.rows", { n: present.length }) });
    this.nothing.hidden = selected.length === 0;
    this.disable.disabled = !selected.some((account) => account.enabled !== false);
    this.enable.disabled = !selected.some((account) => account.enabled === false);
    const refusal = deleteRefusal(selected.length ? selected : present.flatMap((row) => row.account ?? []));
    explainDisabled(this.remove, refusal || (selected.length ? "" : text("bulk.select_files")));
    this.reason.textContent = refusal && source === "api_key" ? text("bulk.keys_kept") : "";
  }

  #shortcut() {
    return element("button", { class: "link", attributes: { type: "button", hidden: true } });
  }
}

/**
 * Say how many accounts are selected: an action changes also those that the filters hide.
 *
 * @param {import("../table/rows.js").Account[]} selected
 * @param {number[]} shown accounts that pass the filters
 */
function saidOf(selected, shown) {
  if (!selected.length) return text("bulk.nothing");
  const seen = new Set(shown);
  const n = selected.length;
  const unseen = selected.filter(({ id }) => !seen.has(id)).length;
  return unseen ? text("bulk.selected_unseen", { n, unseen }) : text("bulk.selected", { n });
}

/**
 * Return whether a row is one of those recommended for disabling, as the overview counts them. The plan of the change
 * says which of them the gateway cannot switch.
 *
 * @param {import("../table/rows.js").Row} row
 */
function isRecommended(row) {
  return row.action === "disable" && row.enabled !== false && !isOnHold(row) && !isStillOnHold(row);
}

/**
 * Have the head of a table stay right below a bar, which is as high as its texts want: no row shows between them. The
 * bar has no height once the page was left.
 *
 * @param {HTMLElement} bar
 * @param {HTMLTableElement} table
 */
function placeHead(bar, table) {
  new ResizeObserver(() => {
    const height = Math.floor(bar.getBoundingClientRect().height);
    if (height) table.tHead?.style.setProperty("--bar-height", `${height}px`);
  }).observe(bar);
}
