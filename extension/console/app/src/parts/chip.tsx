import { formatCount } from "../language/formats.js";
import { StatusDot } from "./status.js";
import type { Tone } from "./tone.js";

export interface ChipProps {
  label: string;
  /** Number of rows that it would show together with all other filters. */
  count?: number;
  tone?: Tone;
  isOn: boolean;
  onPress: () => void;
}

/** Filter that is on or off. */
export function Chip({ label, count, tone, isOn, onPress }: ChipProps) {
  return (
    <button type="button" class="chip" aria-pressed={isOn} onClick={onPress}>
      {tone && <StatusDot tone={tone} />}
      {label}
      {count !== undefined && <b>{formatCount(count)}</b>}
    </button>
  );
}
