import type { JSX } from "preact";

export type Choices<V extends string = string> = readonly (readonly [value: V, label: string])[];

/** Choice of one of several values, as the browser offers it. */
export function Select<V extends string>(
  props: Omit<JSX.HTMLAttributes<HTMLSelectElement>, "onChange"> & {
    value?: V | string;
    name?: string;
    required?: boolean;
    disabled?: boolean;
    choices: Choices<V>;
    onChoose?: (value: V) => unknown;
  },
) {
  const { choices, onChoose, ...attributes } = props;
  return (
    <select {...attributes} onChange={({ currentTarget }) => onChoose?.(currentTarget.value as V)}>
      {choices.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}
