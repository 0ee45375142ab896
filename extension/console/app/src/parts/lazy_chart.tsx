import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import type { ChartProps } from "./chart/chart.js";
import { Skeleton } from "./skeleton.js";

/** Chart whose code is loaded when the first one is drawn. */
export function LazyChart(props: ChartProps) {
  const chart = useSignal<ComponentType<ChartProps> | null>(null);
  useEffect(() => {
    void import("./chart/chart.js").then((module) => {
      chart.value = module.Chart;
    });
  }, []);
  const Chart = chart.value;
  return Chart ? <Chart {...props} /> : <Skeleton />;
}
