import type { IconNode } from "lucide";
import { h } from "preact";

/** Icon beside a text, or in a button with a label: it says nothing by itself. */
export function Icon({ of, size = 16 }: { of: IconNode; size?: number }) {
  return (
    <svg
      class="icon"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="1.8"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      {of.map(([tag, attributes], index) => h(tag, { ...attributes, key: index }))}
    </svg>
  );
}
