import { nameList } from "../actions/plan_nodes.js";
import { element } from "../dom.js";
import { accountName, plural } from "../formatting.js";
import { modeLabel } from "../settings/modes.js";
import { listing, paragraph, smallButton, titled } from "./listing.js";

const VERBS = { disable: "Disable", enable: "Enable", delete: "Delete" };

/**
 * What each mode would do about a run, and a button to do it.
 *
 * @param {string} source
 * @param {{mode: string, applied: any[], held: any[]}[]} plans
 * @param {(plan: {mode: string, applied: any[]}) => void} onApply
 */
export function modePlans(source, plans, onApply) {
  const rows = plans.filter(({ mode }) => mode !== "none").map((plan) => {
    const apply = smallButton("Apply…", () => onApply(plan), `Apply: ${modeLabel(source, plan.mode)}`);
    /** @type {HTMLButtonElement} */ (apply).disabled = plan.applied.length === 0;
    return [modeLabel(source, plan.mode), countsText(plan.applied), String(plan.held.length), apply];
  });
  return titled("What each strategy would do now",
    paragraph("Nothing of this is done before you apply it. Accounts that were acted on already are left out."),
    listing(["Strategy", "Would do", "Held by the brake", ""], rows));
}

/**
 * What a mode would do, account by account, for a confirmation.
 *
 * @param {any[]} applied
 */
export function plannedNodes(applied) {
  return Object.entries(VERBS).flatMap(([action, verb]) => {
    const chosen = applied.filter((each) => each.action === action);
    if (!chosen.length) return [];
    const names = chosen.map(({ account, displayName, reason }) =>
      `${accountName({ id: account, displayName })}: ${reason}`);
    const warning = action === "delete" ? " A deleted file cannot be brought back." : "";
    return [element("section", { class: "planned" },
      paragraph(`${verb} ${plural(chosen.length, "account")}.${warning}`), nameList(names))];
  });
}

/** @param {{action: string}[]} applied */
function countsText(applied) {
  const parts = Object.keys(VERBS).flatMap((action) => {
    const count = applied.filter((each) => each.action === action).length;
    return count ? [`${action} ${count}`] : [];
  });
  return parts.join(", ") || "nothing";
}
