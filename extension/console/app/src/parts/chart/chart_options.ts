import uPlot from "uplot";
import type { ChartProps, ChartSeries } from "./chart.js";

const HEIGHT = 220;
const AXIS = 52;
const TIME_AXIS = 30;
const LEAST_TICK = 72;
const DAY = 86_400;
/** Steps of the time axis, in seconds, where it names days: two ticks of one day would have one name. */
const DAY_TICKS = [1, 2, 3, 5, 7, 14, 30, 60, 90, 180, 365].map((days) => days * DAY);
const COLUMN_SHARE = 0.72;
const WIDEST_COLUMN = 40;

/** Return the options of the plot, with the colors of the theme in use. */
export function optionsOf(
  { kind, times, format, formatTime, formatTick = formatTime, gaps = [], height = HEIGHT }: ChartProps,
  series: readonly ChartSeries[],
  place: HTMLElement,
  onPoint: (index: number | null) => void,
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
    kind === "columns" ? uPlot.paths.bars?.({ size: [COLUMN_SHARE, WIDEST_COLUMN], radius: 0.1, align: 1 }) : undefined;
  const shade = colorOf("wait-soft");
  const [first, last] = spanOf(times, kind);
  const isLong = last - first > 2 * DAY;
  return {
    height,
    // Half a name of the last tick, which stands at the end.
    padding: [null, LEAST_TICK / 2, null, null],
    legend: { show: false },
    cursor: { x: false, y: false, points: { show: false }, drag: { setScale: false } },
    hooks: {
      setCursor: [(plot) => onPoint(pointAt(plot, kind))],
      drawClear: [(plot) => shadeGaps(plot, gaps, shade)],
    },
    scales: {
      x: { time: true, range: () => spanOf(times, kind) },
      y: { range: (_, __, most) => [0, most > 0 ? most * 1.05 : 1] },
    },
    axes: [
      {
        ...axis,
        size: TIME_AXIS,
        space: LEAST_TICK,
        incrs: isLong ? DAY_TICKS : undefined,
        grid: { show: false },
        values: (_, splits) => splits.map((seconds) => formatTick(seconds * 1000)),
      },
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

/** Return the ends of the axis in seconds: a column reaches from its time to the next one. */
function spanOf(times: readonly number[], kind: ChartProps["kind"]): [number, number] {
  const [first, last] = [(times[0] ?? 0) / 1000, (times.at(-1) ?? 0) / 1000];
  const step = times.length > 1 ? last - (times.at(-2) ?? 0) / 1000 : 1;
  return [first, kind === "columns" ? last + step : Math.max(last, first + 1)];
}

/** Return the point under the cursor; of columns the one it is in, although the end of it may be nearer. */
function pointAt(plot: uPlot, kind: ChartProps["kind"]): number | null {
  const { left = -1, idx: nearest } = plot.cursor;
  if (left < 0 || nearest === null || nearest === undefined) return null;
  const isBefore = plot.posToVal(left, "x") < plot.data[0][nearest];
  return kind === "columns" && isBefore ? Math.max(nearest - 1, 0) : nearest;
}

function shadeGaps(plot: uPlot, gaps: NonNullable<ChartProps["gaps"]>, color: string): void {
  const { left, top, width, height } = plot.bbox;
  const place = (time: number) => Math.min(Math.max(plot.valToPos(time / 1000, "x", true), left), left + width);
  plot.ctx.fillStyle = color;
  for (const { start, end } of gaps) plot.ctx.fillRect(place(start), top, place(end) - place(start), height);
}

/** Return a color of the tokens as a canvas takes it: `light-dark()` resolved. */
function resolved(color: string, place: HTMLElement): string {
  const probe = document.createElement("span");
  // Where the browser takes colors away it gives every text the same one, and the canvas none.
  probe.style.setProperty("forced-color-adjust", "none");
  probe.style.color = color;
  place.append(probe);
  const { color: value } = getComputedStyle(probe);
  probe.remove();
  return value;
}
