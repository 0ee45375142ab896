import { text as phrase } from "../language/catalogue.js";
import { holdText, reasonsText } from "../language/reasons.js";
import { hostName } from "../layout/host_name.js";

/**
 * Planned writes of a requested change, grouped by account. Pure.
 *
 * @typedef {import("../table/rows.js").Account} Account
 * @typedef {keyof typeof import("../../../texts/en.json")["written"]} Write
 * @typedef {{write: Write, accounts: Account[]}} Group accounts for which the same will be written
 * @typedef {{ids: number[], groups: Group[], left: {account: Account, reason: string}[],
 *   held?: number, hold?: string}} Plan `left` stay as they are; `held`: how many of them are on hold; `hold`: why the
 *   one account of the plan is on hold, and changed all the same
 */

/**
 * @param {Account[]} accounts
 * @param {boolean} disabled true to disable, false to enable
 * @returns {Plan}
 */
export function planSwitch(accounts, disabled) {
  const verb = disabled ? "disable" : "enable";
  return planOf(accounts, (account) => {
    const refusal = switchRefusal(account);
    if (refusal) return { reason: refusal };
    if (account.enabled === !disabled) return { reason: phrase(`plan.already_${verb}`) };
    return { write: /** @type {Write} */ (`${account.switch}_${verb}`) };
  });
}

/**
 * @param {Account[]} accounts
 * @returns {Plan}
 */
export function planDelete(accounts) {
  return planOf(accounts, (account) => account.deletable
    ? { write: "file_delete" }
    : { reason: phrase("bulk.keys_kept") });
}

/**
 * Take accounts out of a plan that the service leaves as they are, such as those on hold.
 *
 * @param {Plan} plan
 * @param {import("../../_generated_types.js").PlannedView[]} entries
 */
export function leaveOut(plan, entries) {
  const reasons = new Map(entries.map((entry) => {
    const against = holdText(entry, entry.against);
    return [entry.account, entry.host ? `${hostName(entry.host)}: ${against}` : against];
  }));
  if (!reasons.size) return;
  plan.ids = plan.ids.filter((id) => !reasons.has(id));
  for (const group of plan.groups) {
    for (const account of group.accounts) {
      const reason = reasons.get(account.id);
      if (reason !== undefined) plan.left.push({ account, reason });
    }
    group.accounts = group.accounts.filter(({ id }) => !reasons.has(id));
  }
  plan.groups = plan.groups.filter(({ accounts }) => accounts.length);
}

/**
 * Reason that an account cannot be enabled or disabled; empty when it can.
 *
 * @param {Account} account
 */
export function switchRefusal(account) {
  if (account.switch !== "none") return "";
  return reasonsText(account.switchReasons, account.switchReason) || phrase("plan.no_switch");
}

/**
 * Reason that none of the accounts can be deleted; empty when one can, or there are none.
 *
 * @param {Account[]} accounts
 */
export function deleteRefusal(accounts) {
  if (!accounts.length || accounts.some((account) => account.deletable)) return "";
  return phrase("bulk.keys_kept");
}

/**
 * @param {Account[]} accounts
 * @param {(account: Account) => {write?: Write, reason?: string}} decide
 * @returns {Plan}
 */
function planOf(accounts, decide) {
  /** @type {Plan} */
  const plan = { ids: [], groups: [], left: [] };
  for (const account of accounts) {
    const { write, reason } = decide(account);
    if (!write) {
      plan.left.push({ account, reason: reason ?? "" });
      continue;
    }
    plan.ids.push(account.id);
    const group = plan.groups.find((known) => known.write === write);
    if (group) group.accounts.push(account);
    else plan.groups.push({ write, accounts: [account] });
  }
  return plan;
}
