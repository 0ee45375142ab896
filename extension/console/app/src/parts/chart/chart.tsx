import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { text } from "../../language/catalogue.js";
import { UNKNOWN } from "../../language/formats.js";
import { theme } from "../../shell/theme.js";
import type { Color } from "../color_book.js";
import { stacked, type ChartData } from "./chart_data.js";
import { optionsOf } from "./chart_options.js";

export interface ChartSeries {
  name: string;
  color: Color | "good" | "dead" | "wait" | "provider" | "unknown";
  /** A value a time; null where it is not known. */
  values: readonly (number | null)[];
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
}

const HEIGHT = 220;

/** Picture of series with a legend, and the same values as a table for whoever does not see it. */
export function Chart(props: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const shown = props.series.filter(({ name }) => !hidden.has(name));
  const data: ChartData = props.kind === "columns" ? stacked(props.times, shown) : stacked(props.times, shown, false);
  const drawn = JSON.stringify([data, props.kind, theme.value, shown.map(({ color }) => color)]);
  useEffect(() => {
    const node = place.current;
    if (!node) return undefined;
    const width = () => Math.max(node.clientWidth, 1);
    const plot = new uPlot({ ...optionsOf(props, shown, node), width: width() }, data.columns, node);
    const observer = new ResizeObserver(() => plot.setSize({ width: width(), height: props.height ?? HEIGHT }));
    observer.observe(node);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [drawn]);
  const toggle = (name: string) =>
    setHidden((names) => new Set(names.has(name) ? [...names].filter((other) => other !== name) : [...names, name]));
  return (
    <figure class="chart">
      <Legend series={props.series} hidden={hidden} onToggle={toggle} />
      <div ref={place} aria-hidden="true" />
      <ChartTable {...props} />
    </figure>
  );
}

function Legend(props: {
  series: readonly ChartSeries[];
  hidden: ReadonlySet<string>;
  onToggle: (name: string) => void;
}) {
  return (
    <ul class="legend">
      {props.series.map(({ name, color }) => (
        <li key={name}>
          <button type="button" aria-pressed={!props.hidden.has(name)} onClick={() => props.onToggle(name)}>
            <span class="swatch" style={{ background: `var(--${color})` }} />
            <bdi>{name}</bdi>
          </button>
        </li>
      ))}
    </ul>
  );
}

function ChartTable({ title, times, series, format, formatTime }: ChartProps) {
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
              <th scope="row">{formatTime(time)}</th>
              {series.map(({ name, values }) => (
                <td key={name}>{values[index] === null ? UNKNOWN : format(values[index] ?? 0)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
