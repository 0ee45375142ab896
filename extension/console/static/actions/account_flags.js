import { element } from "../dom.js";
import { accountName } from "../formatting.js";
import { text } from "../language/catalogue.js";

/**
 * @import { Account } from "../table/rows.js"
 * @typedef {"neverProbe" | "managed" | "protected"} Flag
 */

/** @type {Flag[]} */
const FLAGS = ["neverProbe", "managed", "protected"];

/**
 * Switches that control how runs treat an account. None of them is written to the gateway.
 *
 * @param {Account} account
 * @param {(flag: Flag, on: boolean) => void} onFlag
 */
export function flagSwitches(account, onFlag) {
  return element("div", { class: "flags" }, ...FLAGS.map((flag) => {
    const label = text(`flag.${flag}`);
    const box = element("input", {
      data: { control: `${flag}-${account.id}` },
      attributes: { type: "checkbox", "aria-label": `${label}: ${accountName(account)}` },
      on: { change: () => onFlag(flag, box.checked) },
    });
    box.checked = account[flag];
    return element("label", {}, box, element("span", {}, label, " ",
      element("span", { class: "hint", text: text(`flag_hint.${flag}`) })));
  }));
}

/**
 * Summary of the flags of an account; empty when none is set.
 *
 * @param {Account | null} account
 */
export function flagsText(account) {
  const words = [account?.neverProbe && text("state.excluded"), account?.managed && text("state.managed"),
    account?.protected && text("state.protected")];
  return words.filter(Boolean).join(", ");
}
