import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { LEAST } from "../../language/amounts.js";
import { text } from "../../language/catalogue.js";
import { UNKNOWN } from "../../language/formats.js";
import { useServices } from "../../shell/services.js";
import { theme } from "../../shell/theme.js";
import type { Color } from "../color_book.js";
import { stacked, type ChartData } from "./chart_data.js";
import { optionsOf } from "./chart_options.js";

export interface ChartSeries {
  name: string;
  color: Color | "good" | "dead" | "wait" | "provider" | "unknown";
  /** A value a time; null where it is not known. */
  values: readonly (number | null)[];
  /** Whether each value is a lower bound. */
  partial?: readonly boolean[];
}

export interface ChartProps {
  title: string;
  /** Beginning of each part of the period, in UTC milliseconds. */
  times: readonly number[];
  series: readonly ChartSeries[];
  kind: "columns" | "lines";
  height?: number;
  format: (value: number) => string;
  formatTime: (milliseconds: number) => string;
  /** Time as it stands at the axis; without it as `formatTime` says it. */
  formatTick?: (milliseconds: number) => string;
  /** Times of which values may be missing: they are shaded. */
  gaps?: readonly { start: number; end: number }[];
  /** Address of what a part of the period counts: a click in the plot follows it, and so do links of the table. */
  hrefOf?: (index: number) => string;
  isLegendHidden?: boolean;
}

const HEIGHT = 220;

/** Picture of series with a legend, and the same values as a table for whoever does not see it. */
export function Chart(props: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const { router } = useServices();
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [at, setAt] = useState<number | null>(null);
  const shown = props.series.filter(({ name }) => !hidden.has(name));
  const data: ChartData = props.kind === "columns" ? stacked(props.times, shown) : stacked(props.times, shown, false);
  const drawn = JSON.stringify([data, props.kind, theme.value, shown.map(({ color }) => color), props.gaps]);
  useEffect(() => {
    const node = place.current;
    if (!node) return undefined;
    const width = () => Math.max(node.clientWidth, 1);
    const plot = new uPlot({ ...optionsOf(props, shown, node, setAt), width: width() }, data.columns, node);
    const observer = new ResizeObserver(() => plot.setSize({ width: width(), height: props.height ?? HEIGHT }));
    observer.observe(node);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [drawn]);
  const toggle = (name: string) =>
    setHidden((names) => new Set(names.has(name) ? [...names].filter((other) => other !== name) : [...names, name]));
  const follow = () => at !== null && props.hrefOf && router.go(props.hrefOf(at));
  return (
    <figure class="chart">
      {!props.isLegendHidden && <Legend {...props} hidden={hidden} onToggle={toggle} at={at} />}
      <div ref={place} class="plot" data-opens={props.hrefOf ? true : undefined} aria-hidden="true" onClick={follow} />
      {props.isLegendHidden && at !== null && <p class="chart-reading">{readingOf(props, at)}</p>}
      <ChartTable {...props} />
    </figure>
  );
}

/** What the series are at the part of the period that is pointed at. */
function readingOf(props: ChartProps, at: number): string {
  const values = props.series.map((series) => `${series.name} ${valueText(series, at, props.format)}`);
  return [props.formatTime(props.times[at]), ...values].join(" · ");
}

function valueText({ values, partial }: ChartSeries, index: number, format: ChartProps["format"]): string {
  const value = values[index];
  return value === null || value === undefined ? UNKNOWN : (partial?.[index] ? LEAST : "") + format(value);
}

function Legend(
  props: ChartProps & { hidden: ReadonlySet<string>; onToggle: (name: string) => void; at: number | null },
) {
  const { at } = props;
  return (
    <ul class="legend">
      {props.series.map((series) => (
        <li key={series.name}>
          <button
            type="button"
            aria-pressed={!props.hidden.has(series.name)}
            onClick={() => props.onToggle(series.name)}
          >
            <span class="swatch" style={{ background: `var(--${series.color})` }} />
            <bdi>{series.name}</bdi>
            {at !== null && <b class="number">{valueText(series, at, props.format)}</b>}
          </button>
        </li>
      ))}
      {at !== null && <li class="quiet">{props.formatTime(props.times[at])}</li>}
    </ul>
  );
}

function ChartTable({ title, times, series, format, formatTime, hrefOf }: ChartProps) {
  return (
    <details class="chart-table">
      <summary>
        {title}: {text("picture.table")}
      </summary>
      <table>
        <thead>
          <tr>
            <td />
            {series.map(({ name }) => (
              <th key={name} scope="col">
                <bdi>{name}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {times.map((time, index) => (
            <tr key={time}>
              <th scope="row">
                {hrefOf ? (
                  <a class="link" href={hrefOf(index)}>
                    {formatTime(time)}
                  </a>
                ) : (
                  formatTime(time)
                )}
              </th>
              {series.map((line) => (
                <td key={line.name}>{valueText(line, index, format)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
