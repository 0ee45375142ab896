import { element } from "../dom.js";
import { accountName } from "../formatting.js";

const FLAGS = {
  neverProbe: ["Never probe it", "Runs leave this account out."],
  managed: ["Hand it over to automation", "Automatic actions may enable it again, whoever disabled it."],
};

/**
 * The switches of an account that say what runs may do with it. Nothing of them is written to the gateway.
 *
 * @param {import("../table/rows.js").Account} account
 * @param {(flag: string, on: boolean) => void} onFlag
 */
export function flagSwitches(account, onFlag) {
  return element("div", { class: "flags" }, ...Object.entries(FLAGS).map(([flag, [text, hint]]) => {
    const box = /** @type {HTMLInputElement} */ (element("input", {
      data: { control: `${flag}-${account.id}` },
      attributes: { type: "checkbox", "aria-label": `${text}: ${accountName(account)}` },
      on: { change: () => onFlag(flag, box.checked) },
    }));
    box.checked = account[flag];
    return element("label", {}, box, element("span", {}, text, " ", element("span", { class: "hint", text: hint })));
  }));
}

/**
 * The flags of an account in a few words; empty when there are none.
 *
 * @param {import("../table/rows.js").Account | null} account
 */
export function flagsText(account) {
  const words = [account?.neverProbe && "never probed", account?.managed && "handed over"];
  return words.filter(Boolean).join(", ");
}
