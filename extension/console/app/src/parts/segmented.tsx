import { formatCount } from "../language/formats.js";

export interface Segment<V extends string> {
  value: V;
  label: string;
  count?: number;
}

/** Choice of one of a few, all in sight. */
export function Segmented<V extends string>(props: {
  label: string;
  segments: readonly Segment<V>[];
  value: V;
  onChange: (value: V) => void;
}) {
  return (
    <div class="segmented" role="group" aria-label={props.label}>
      {props.segments.map(({ value, label, count }) => (
        <button key={value} type="button" aria-pressed={value === props.value} onClick={() => props.onChange(value)}>
          {label}
          {count !== undefined && <span class="count">{formatCount(count)}</span>}
        </button>
      ))}
    </div>
  );
}
