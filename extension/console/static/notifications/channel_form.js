import { CHANNEL_KINDS, CHANNEL_LIMITS, TOPICS } from "../_generated_constants.js";
import { isSignedOut } from "../connection/problem.js";
import { element } from "../dom.js";
import { text, tokenText } from "../language/catalogue.js";
import { submitsOnce } from "../layout/once.js";
import { Refusal } from "../layout/refusal.js";

const { name: NAME, address: ADDRESS } = CHANNEL_LIMITS;

/**
 * Form for a new channel. It outlives reloads of the panel; a refusal of the service stands in it.
 *
 * @param {(channel: {name: string, kind: string, address: string, topics: string[]}) => Promise<void>} onAdd
 */
export function channelForm(onAdd) {
  const name = input("channel-name", { maxlength: NAME.maxLength });
  const kind = element("select", { attributes: { id: "channel-kind" } }, ...CHANNEL_KINDS.map((value) =>
    element("option", { text: text(`channels.kind_${value}`), attributes: { value } })));
  const address = input("channel-address", {
    maxlength: ADDRESS.maxLength, autocomplete: "off", spellcheck: "false", "aria-describedby": "channel-hint",
    placeholder: "mailto://, slack://, https://",
  });
  const boxes = TOPICS.map((topic) => element("input", { attributes: { type: "checkbox", value: topic } }));
  const topics = element("fieldset", { class: "switches" },
    element("legend", { text: text("channels.topics_hint") }),
    ...boxes.map((box) => element("label", {}, box, element("span", { text: tokenText("topics", box.value) }))));
  const add = element("button", {
    class: "primary", text: text("channels.add"), attributes: { type: "submit" },
  });
  const form = element("form", { class: "schedule-form", attributes: { "aria-label": text("channels.new") } },
    labeled(text("channels.name"), name), labeled(text("channels.kind"), kind),
    labeled(text("channels.address"), address,
      element("p", { class: "hint", text: text("channels.address_hint"), attributes: { id: "channel-hint" } })),
    topics, element("div", { class: "buttons" }, add));
  const refusal = new Refusal(form, { name, address });
  submitsOnce(form, async () => {
    refusal.clear();
    try {
      const chosen = boxes.filter((box) => box.checked).map((box) => box.value);
      await onAdd({ name: name.value.trim(), kind: kind.value, address: address.value.trim(), topics: chosen });
      form.reset();
    } catch (problem) {
      if (!isSignedOut(problem)) refusal.show(problem);
    }
  });
  return form;
}

/**
 * @param {string} id
 * @param {Record<string, string | number>} attributes
 */
function input(id, attributes) {
  return element("input", { attributes: { id, type: "text", required: true, ...attributes } });
}

/**
 * @param {string} label
 * @param {HTMLInputElement | HTMLSelectElement} control
 * @param {...HTMLElement} more
 */
function labeled(label, control, ...more) {
  return element("div", { class: "field" },
    element("label", { text: label, attributes: { for: control.id } }), control, ...more);
}
