import { WEBHOOK_LIMITS } from "../_generated_constants.js";
import { element } from "../dom.js";
import { Drawer } from "../follow_up/drawer.js";
import { paragraph, smallButton, titled } from "../follow_up/listing.js";
import { formatTime } from "../formatting.js";
import { text } from "../language/catalogue.js";
import { reasonsText } from "../language/reasons.js";
import { submitsOnce } from "../layout/once.js";
import { isRefused, Refusal } from "../layout/refusal.js";

/** Panel of the webhook: its host, its last delivery, and a form. */
export class WebhookPanel {
  /**
   * @param {HTMLElement} panel
   * @param {import("../connection/client.js").Client} client
   * @param {(act: () => Promise<unknown>) => Promise<void>} attempt runs a request and shows a notice when it fails
   */
  constructor(panel, client, attempt) {
    this.client = client;
    this.attempt = attempt;
    this.label = element("label", { attributes: { for: "webhook-address" } });
    this.field = addressField();
    this.form = this.#form();
    this.drawer = new Drawer(panel, () => this.#read());
  }

  /** Reload the panel, keeping unsaved input. */
  refresh() {
    return this.drawer.refresh();
  }

  async #read() {
    const { setBy, host, last } = await this.client.get("config/webhook");
    const status = setBy ? text("webhook.notifying", { host }) : text("webhook.none");
    this.label.textContent = text(setBy ? "webhook.new" : "webhook.address");
    const test = smallButton(text("webhook.test"), () => this.#test());
    const remove = smallButton(text("webhook.remove"), () => this.#save(""));
    return [
      paragraph(text("webhook.purpose")), paragraph(status),
      ...(setBy === "settings"
        ? [paragraph(text("webhook.by_settings"))] : [this.form]),
      ...(setBy ? [element("div", { class: "buttons" }, test, ...(setBy === "person" ? [remove] : []))] : []),
      ...(last ? [titled(text("webhook.last"), deliveryNode(last))] : []),
    ];
  }

  /** Build the form, which outlives reloads of the panel. */
  #form() {
    const form = element("form", { class: "schedule-form", attributes: { "aria-label": text("webhook.form") } },
      element("div", { class: "field grow" }, this.label, this.field,
        element("p", {
          class: "hint", text: text("webhook.hint"),
          attributes: { id: "webhook-hint" },
        })),
      element("div", { class: "buttons" },
        element("button", { class: "primary", text: text("webhook.save"), attributes: { type: "submit" } })));
    this.refusal = new Refusal(form, { address: this.field });
    submitsOnce(form, () => this.#save(this.field.value.trim()));
    return form;
  }

  /**
   * Store the address. One that the service refuses stays in the form to be corrected.
   *
   * @param {string} address
   */
  #save(address) {
    this.refusal?.clear();
    return this.attempt(async () => {
      try {
        await this.client.post("config/webhook", { address });
      } catch (problem) {
        if (!address || !isRefused(problem)) throw problem;
        this.refusal?.show(problem);
        return;
      }
      await this.drawer.refresh();
      // Once the panel says where messages go now: an empty field beside the old sentence looks like a loss.
      if (address && this.field.value.trim() === address) this.field.value = "";
    });
  }

  #test() {
    return this.attempt(async () => {
      await this.client.post("config/webhook/test");
      await this.drawer.refresh();
    });
  }
}

function addressField() {
  return element("input", {
    attributes: {
      id: "webhook-address", type: "url", maxlength: WEBHOOK_LIMITS.address.maxLength, required: true,
      autocomplete: "off", spellcheck: "false", placeholder: "https://", "aria-describedby": "webhook-hint",
    },
  });
}

/** @param {import("../../_generated_types.js").DeliveryView} last */
function deliveryNode({ kind, run, at, taken, attempts, problem, problems }) {
  const subject = kind === "test" ? text("webhook.test_message") : text("webhook.changes", { run: String(run) });
  const outcome = text(taken ? "webhook.delivered" : "webhook.failed");
  const facts = { subject, time: formatTime(at), problem: reasonsText(problems, problem) };
  const said = attempts > 1
    ? text("webhook.delivery_tries", { ...facts, n: attempts }) : text("webhook.delivery", facts);
  return element("p", {}, element("span", { class: "pill", text: outcome, data: { tone: taken ? "good" : "bad" } }),
    ` ${said}`.trimEnd());
}
