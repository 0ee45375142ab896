import { byId, element } from "../dom.js";
import { formatTime } from "../formatting.js";
import { text as phrase, tokenText } from "../language/catalogue.js";
import { whenUnused } from "../layout/kept_field.js";

/** Selector between the latest result of every account and the results of one run. */
export class History {
  /** @param {(run: number | null) => void} onChoose */
  constructor(onChoose) {
    this.select = byId("history", HTMLSelectElement);
    this.select.addEventListener("change", () => onChoose(this.select.value ? Number(this.select.value) : null));
  }

  /**
   * @param {import("./run_model.js").Run[]} runs
   * @param {number | null} chosen
   */
  render(runs, chosen) {
    whenUnused(this.select, () => this.#show(runs, chosen));
  }

  /**
   * @param {import("./run_model.js").Run[]} runs
   * @param {number | null} chosen
   */
  #show(runs, chosen) {
    const labels = new Map([["", phrase("results.pool")]]);
    for (const run of runs) labels.set(String(run.id), labelOf(run));
    const options = new Map([...this.select.options].map((option) => [option.value, option]));
    const wanted = [...labels].map(([value, text]) => {
      const option = options.get(value) ?? element("option", { attributes: { value } });
      if (option.textContent !== text) option.textContent = text;
      return option;
    });
    const same = wanted.length === this.select.options.length
      && wanted.every((option, at) => option === this.select.options[at]);
    if (!same) this.select.replaceChildren(...wanted);
    this.select.value = chosen === null ? "" : String(chosen);
  }
}

/** @param {import("./run_model.js").Run} run */
function labelOf(run) {
  return phrase("results.run", {
    run: String(run.id), time: formatTime(run.startedAt), source: phrase(`scope.${run.accountSource}`),
    state: tokenText("run_state", run.state),
  });
}
