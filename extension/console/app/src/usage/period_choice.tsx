import { text } from "../language/catalogue.js";
import { Segmented } from "../parts/segmented.js";
import { useServices } from "../shell/services.js";
import type { PeriodName } from "./periods.js";
import { nameOfPeriod, scopeText } from "./selection.js";

/** Periods as segments. One that a link names beside them, such as a column of a chart, is a segment as long as it lasts. */
export function PeriodChoice({ periods }: { periods: readonly PeriodName[] }) {
  const { router } = useServices();
  const get = (name: string) => router.get(name);
  const name = nameOfPeriod(get);
  const segments = periods.map((value) => ({ value: value as string, label: text(`usage_period.${value}`) }));
  if (name === null) segments.push({ value: "", label: scopeText(get, Date.now()) });
  else if (!periods.includes(name)) segments.push({ value: name, label: text(`usage_period.${name}`) });
  return (
    <Segmented
      label={text("usage.period")}
      value={name ?? ""}
      segments={segments}
      onChange={(period) => period && router.set({ period, start: "", end: "" }, { push: true })}
    />
  );
}
