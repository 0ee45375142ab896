import type { ComponentChildren } from "preact";
import { Skeleton } from "../../parts/skeleton.js";
import type { ReadingView } from "../../shell/reading.js";

/** Part of what was read, beside another that shows the problem where the read fails: it is told once. */
export function Part<T>(props: { reading: ReadingView<T>; children: (value: T) => ComponentChildren }) {
  const value = props.reading.value.value;
  return <>{value === null ? <Skeleton rows={2} /> : props.children(value)}</>;
}
