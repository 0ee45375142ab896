import { WEBHOOK_LIMITS } from "../_generated_constants.js";
import { byId, element } from "../dom.js";
import { Drawer } from "../follow_up/drawer.js";
import { paragraph, smallButton, titled } from "../follow_up/listing.js";
import { formatTime, plural } from "../formatting.js";

const WHAT = "When a finished run changes the picture, what changed is posted as JSON to an address of yours: names, "
  + "verdicts and states, no secrets.";

/** The address that is told when a run changes the picture: who set it, whether it works, and a form to change it. */
export class WebhookPanel {
  /**
   * @param {import("../connection/client.js").Client} client
   * @param {(act: () => Promise<unknown>) => Promise<void>} attempt does it, and says so when it failed
   */
  constructor(client, attempt) {
    this.client = client;
    this.attempt = attempt;
    this.label = element("label", { attributes: { for: "webhook-address" } });
    this.field = addressField();
    this.form = this.#form();
    this.drawer = new Drawer(byId("webhook"), () => this.#read());
  }

  /** Reads anew; what somebody types meanwhile stays. */
  refresh() {
    return this.drawer.refresh();
  }

  async #read() {
    const { setBy, host, last } = await this.client.get("config/webhook");
    const told = setBy ? `Changes are told to ${host}.` : "Nobody is told yet.";
    this.label.textContent = setBy ? "Another address" : "Address";
    const test = smallButton("Send a test message", () => this.#do(() => this.client.post("config/webhook/test")));
    const remove = smallButton("Remove the address", () => this.#save(""));
    return [
      paragraph(WHAT), paragraph(told),
      ...(setBy === "settings"
        ? [paragraph("The address is one of the service's settings and is changed there.")] : [this.form]),
      ...(setBy ? [element("div", { class: "buttons" }, test, ...(setBy === "person" ? [remove] : []))] : []),
      ...(last ? [titled("Last message", deliveryNode(last))] : []),
    ];
  }

  /** One form for as long as the page lives, whatever is read anew around it. */
  #form() {
    const form = element("form", { class: "schedule-form", attributes: { "aria-label": "Notifications" } },
      element("div", { class: "field grow" }, this.label, this.field,
        element("p", {
          class: "hint", text: "It is kept in the service's data folder and never shown again.",
          attributes: { id: "webhook-hint" },
        })),
      element("div", { class: "buttons" },
        element("button", { class: "primary", text: "Save the address", attributes: { type: "submit" } })));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#save(this.field.value.trim());
    });
    return form;
  }

  /** @param {string} address */
  #save(address) {
    return this.#do(async () => {
      await this.client.post("config/webhook", { address });
      if (address) this.field.value = "";
    });
  }

  /**
   * What failed stays in the form, to be put right.
   * 
   * @param {() => Promise<unknown>} act
   */
  #do(act) {
    return this.attempt(async () => {
      await act();
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
function deliveryNode({ kind, run, at, taken, attempts, problem }) {
  const subject = kind === "test" ? "Test message" : `Changes of run ${run}`;
  const outcome = taken ? "taken" : "not taken";
  const tries = attempts > 1 ? ` after ${plural(attempts, "attempt")}` : "";
  return element("p", {}, element("span", { class: "pill", text: outcome, data: { tone: taken ? "good" : "bad" } }),
    ` ${subject}, ${formatTime(at)}${tries}. ${problem}`.trimEnd());
}
