/** State of the collection of usage, and the switch of the gateway's recording. */

import { element } from "../../dom.js";
import { text } from "../../language/catalogue.js";
import { reasonsText } from "../../language/reasons.js";

/** @import { CollectionAnswer } from "../../../_generated_types.js" */

/**
 * Build the line about the collector; it says what to do where nothing is recorded.
 *
 * @param {CollectionAnswer} collection
 * @param {import("../../shell/context.js").PageContext} context
 * @param {() => void} onChange
 */
export function collectorLine(collection, { client, format, notices }, onChange) {
  const said = stateOf(collection, format.formatTime(collection.coveredUntil));
  const nodes = [element("p", { text: said, class: collection.recording && !collection.problem ? "hint" : "" })];
  if (collection.supported && collection.recording === false) {
    nodes.push(element("p", {}, element("button", {
      class: "primary",
      text: text("usage.record"),
      attributes: { type: "button" },
      on: {
        click: async () => {
          try {
            await client.post("../usage/collection", { recording: true });
            onChange();
          } catch (problem) {
            notices.showProblem("usage", problem);
          }
        },
      },
    })));
  }
  return element("div", { class: "collector" }, ...nodes);
}

/**
 * @param {CollectionAnswer} collection
 * @param {string} until
 */
function stateOf({ supported, recording, problem, problems, source }, until) {
  const said = reasonsText(problems, problem).slice(0, 200);
  if (!supported) return text("usage.unsupported", { problem: said });
  if (problem) return text("usage.trouble", { problem: said });
  if (recording === false) return text("usage.not_recording");
  return source === "subscription" ? text("usage.by_subscription", { time: until }) : text("usage.by_queue",
    { time: until });
}
