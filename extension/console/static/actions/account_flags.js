import { element } from "../dom.js";
import { accountName } from "../formatting.js";

/**
 * @import { Account } from "../table/rows.js"
 * @typedef {"neverProbe" | "managed"} Flag
 */

/** @type {[flag: Flag, label: string, hint: string][]} */
const FLAGS = [
  ["neverProbe", "Exclude from checks", "Runs skip this account."],
  ["managed", "Let automation manage this account", "Automation may enable it even if a person disabled it."],
];

/**
 * Switches that control how runs treat an account. None of them is written to the gateway.
 *
 * @param {Account} account
 * @param {(flag: Flag, on: boolean) => void} onFlag
 */
export function flagSwitches(account, onFlag) {
  return element("div", { class: "flags" }, ...FLAGS.map(([flag, text, hint]) => {
    const box = element("input", {
      data: { control: `${flag}-${account.id}` },
      attributes: { type: "checkbox", "aria-label": `${text}: ${accountName(account)}` },
      on: { change: () => onFlag(flag, box.checked) },
    });
    box.checked = account[flag];
    return element("label", {}, box, element("span", {}, text, " ", element("span", { class: "hint", text: hint })));
  }));
}

/**
 * Summary of the flags of an account; empty when none is set.
 *
 * @param {Account | null} account
 */
export function flagsText(account) {
  const words = [account?.neverProbe && "excluded from checks", account?.managed && "managed by automation"];
  return words.filter(Boolean).join(", ");
}
