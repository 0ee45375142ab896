import { Question } from "../actions/question.js";
import { element } from "../dom.js";
import { Drawer } from "../follow_up/drawer.js";
import { listing, paragraph, smallButton, titled } from "../follow_up/listing.js";
import { formatTime } from "../formatting.js";
import { text, tokenText } from "../language/catalogue.js";
import { reasonsText } from "../language/reasons.js";
import { channelForm } from "./channel_form.js";

/** @import { ChannelDeliveryView, ChannelView } from "../../_generated_types.js" */

/** Panel of the channels: their topics, a test, the newest deliveries, and a form. */
export class ChannelPanel {
  /**
   * @param {HTMLElement} panel
   * @param {import("../connection/client.js").Client} client
   * @param {(act: () => Promise<unknown>) => Promise<void>} attempt runs a request and shows a notice when it fails
   */
  constructor(panel, client, attempt) {
    this.client = client;
    this.attempt = attempt;
    this.question = new Question();
    this.form = channelForm(async (channel) => {
      await this.client.post("config/channels", channel);
      await this.drawer.refresh();
    });
    this.drawer = new Drawer(panel, () => this.#read());
  }

  /** Reload the panel, keeping unsaved input. */
  refresh() {
    return this.drawer.refresh();
  }

  /** Remove what stands outside the panel. */
  leave() {
    this.question.leave();
  }

  async #read() {
    const { channels, deliveries } = await this.client.get("config/channels");
    const columns = ["name", "service", "topics", "last"].map((name) => tokenText("channels", name));
    const table = listing([...columns, ""], channels.map((channel) => this.#row(channel)));
    const names = new Map(channels.map(({ id, name }) => [id, name]));
    return [
      paragraph(text("channels.purpose")),
      channels.length ? table : paragraph(text("channels.none")), this.form,
      ...(deliveries.length ? [titled(text("channels.deliveries"), deliveryList(deliveries, names))] : []),
    ];
  }

  /** @param {ChannelView} channel */
  #row({ id, name, scheme, host, topics, last }) {
    const chosen = topics.map((topic) => tokenText("topics", topic)).join(", ");
    return [
      element("bdi", { text: name }), host || `${scheme}://…`, chosen || text("channels.all_topics"),
      last ? element("div", {}, outcome(last), ` ${formatTime(last.at)}`) : text("channels.never"),
      element("div", { class: "buttons" },
        smallButton(text("channels.test"), () => this.#change(() =>
          this.client.post("config/channels/test", { channel: id })), text("channels.test_of", { name })),
        smallButton(text("channels.remove"), () => this.#remove(id, name), text("channels.remove_of", { name }))),
    ];
  }

  /**
   * @param {number} channel
   * @param {string} name
   */
  #remove(channel, name) {
    this.question.ask({
      title: text("channels.question", { name }), body: text("channels.question_body"),
      verb: text("channels.remove"), cancel: text("channels.cancel"),
    }, () => this.#change(() => this.client.post("config/channels/remove", { channel })));
  }

  /**
   * Run a change and reload the panel, because a failed delivery is shown as well.
   *
   * @param {() => Promise<unknown>} act
   */
  async #change(act) {
    await this.attempt(act);
    await this.drawer.refresh();
  }
}

/**
 * @param {ChannelDeliveryView[]} deliveries
 * @param {Map<number, string>} names
 */
function deliveryList(deliveries, names) {
  const columns = ["time", "name", "message", "result"].map((name) => tokenText("channels", name));
  return listing(columns, deliveries.map((delivery) => {
    const { channel, at, kind, run, attempts } = delivery;
    const problem = reasonsText(delivery.problems, delivery.problem);
    const message = run ? text("channels.of_run", { run: String(run) })
      : tokenText("message_kinds", kind.replaceAll(".", "_"));
    const tries = attempts > 1 ? text("channels.attempts", { n: attempts }) : "";
    return [
      formatTime(at), element("bdi", { text: names.get(channel) ?? text("channels.removed") }), message,
      element("div", {}, outcome(delivery), ` ${[tries, problem].filter(Boolean).join(" ")}`),
    ];
  }));
}

/** @param {ChannelDeliveryView} delivery */
function outcome({ taken }) {
  const label = text(taken ? "channels.delivered" : "channels.failed");
  return element("span", { class: "pill", text: label, data: { tone: taken ? "good" : "bad" } });
}
