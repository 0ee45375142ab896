import { element } from "../dom.js";

/**
 * The form that saves a schedule: a new one with the settings of the next run, or a known one anew.
 *
 * @param {any | null} schedule the one that is edited
 * @param {(body: Record<string, unknown>, takesSettings: boolean) => void} onSave
 * @param {() => void} onCancel
 */
export function scheduleForm(schedule, onSave, onCancel) {
  const name = input("schedule-name", { type: "text", maxlength: 100, required: true }, schedule?.name ?? "");
  const every = input("schedule-every", { type: "number", min: 1, max: 525_600, required: true },
    schedule?.intervalMinutes ?? 60);
  const jitter = input("schedule-jitter", { type: "number", min: 0, max: 10_080, required: true },
    schedule?.jitterMinutes ?? 5);
  const takes = input("schedule-takes", { type: "checkbox" }, "");
  const form = element("form", { class: "schedule-form", attributes: { "aria-label": "Schedule" } },
    field("Name", name), field("Every, minutes", every), field("Up to this many minutes later, by chance", jitter),
    ...(schedule ? [field("Take over the settings of the next run", takes, "switch")] : []),
    element("div", { class: "buttons" },
      element("button", {
        class: "primary", text: schedule ? "Save changes" : "Save with the settings of the next run",
        attributes: { type: "submit" },
      }),
      ...(schedule ? [element("button", {
        class: "plain", text: "Cancel", attributes: { type: "button" }, on: { click: onCancel },
      })] : [])));
  form.addEventListener("input", () => { form.dataset.touched = "true"; });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    onSave({
      name: name.value.trim(), enabled: schedule?.enabled ?? true,
      intervalMinutes: Number(every.value), jitterMinutes: Number(jitter.value),
    }, !schedule || takes.checked);
  });
  return form;
}

/**
 * @param {string} id
 * @param {Record<string, string | number | boolean>} attributes
 * @param {string | number} value
 */
function input(id, attributes, value) {
  const control = /** @type {HTMLInputElement} */ (element("input", { attributes: { id, ...attributes } }));
  if (attributes.type !== "checkbox") control.value = String(value);
  return control;
}

/**
 * @param {string} text
 * @param {HTMLInputElement} control
 * @param {string} [kind]
 */
function field(text, control, kind = "") {
  const label = element("label", { text, attributes: { for: control.id } });
  return element("div", { class: `field ${kind}` }, label, control);
}
