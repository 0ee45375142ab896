import { element } from "../dom.js";
import { accountName } from "../formatting.js";

/**
 * @import { Account } from "../table/rows.js"
 * @typedef {"neverProbe" | "managed"} Flag
 */

/** @type {[flag: Flag, label: string, hint: string][]} */
const FLAGS = [
  ["neverProbe", "Never probe it", "Runs leave this account out."],
  ["managed", "Hand it over to automation", "Automatic actions may enable it again, whoever disabled it."],
];

/**
 * The switches of an account that say what runs may do with it. Nothing of them is written to the gateway.
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
 * The flags of an account in a few words; empty when there are none.
 *
 * @param {Account | null} account
 */
export function flagsText(account) {
  const words = [account?.neverProbe && "never probed", account?.managed && "handed over"];
  return words.filter(Boolean).join(", ");
}
