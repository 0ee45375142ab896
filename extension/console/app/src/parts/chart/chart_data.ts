import type { AlignedData } from "uplot";

/** Values as the plot draws them, times in seconds. */
export interface ChartData {
  columns: AlignedData;
}

interface Values {
  values: readonly (number | null)[];
}

/**
 * Return series as columns of the plot. Stacked, a series reaches from the sum of those after it to its own sum: the
 * first one is drawn first and lies behind the others. A value that is not known adds nothing.
 */
export function stacked(times: readonly number[], series: readonly Values[], isStacked = true): ChartData {
  const seconds = times.map((milliseconds) => milliseconds / 1000);
  if (!isStacked) return { columns: [seconds, ...series.map(({ values }) => [...values])] };
  const sums: number[][] = [];
  let below = times.map(() => 0);
  for (const { values } of [...series].reverse()) {
    below = below.map((sum, index) => sum + (values[index] ?? 0));
    sums.unshift(below);
  }
  return { columns: [seconds, ...sums] };
}
