import uPlot from "uplot";
import type { ChartProps, ChartSeries } from "./chart.js";

const HEIGHT = 220;
const AXIS = 52;
const COLUMN_SHARE = 0.72;
const WIDEST_COLUMN = 40;

/** Return the options of the plot, with the colors of the theme in use. */
export function optionsOf(
  { kind, format, formatTime, height = HEIGHT }: ChartProps,
  series: readonly ChartSeries[],
  place: HTMLElement,
): Omit<uPlot.Options, "width"> {
  const styles = getComputedStyle(place);
  const colorOf = (name: string) => resolved(`var(--${name})`, place);
  const axis = {
    stroke: colorOf("text-3"),
    font: `12px ${styles.fontFamily}`,
    grid: { stroke: colorOf("line"), width: 1 },
    ticks: { show: false },
  };
  const paths =
    kind === "columns" ? uPlot.paths.bars?.({ size: [COLUMN_SHARE, WIDEST_COLUMN], radius: 0.1 }) : undefined;
  return {
    height,
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { time: true }, y: { range: (_, __, most) => [0, most > 0 ? most * 1.05 : 1] } },
    axes: [
      { ...axis, grid: { show: false }, values: (_, times) => times.map((seconds) => formatTime(seconds * 1000)) },
      { ...axis, size: AXIS, values: (_, values) => values.map(format) },
    ],
    series: [
      {},
      ...series.map(({ name, color }) => ({
        label: name,
        stroke: colorOf(color),
        width: kind === "columns" ? 0 : 1.6,
        fill: kind === "columns" ? colorOf(color) : undefined,
        points: { show: false },
        paths,
      })),
    ],
  };
}

/** Return a color of the tokens as a canvas takes it: `light-dark()` resolved. */
function resolved(color: string, place: HTMLElement): string {
  const probe = document.createElement("span");
  probe.style.color = color;
  place.append(probe);
  const { color: value } = getComputedStyle(probe);
  probe.remove();
  return value;
}
