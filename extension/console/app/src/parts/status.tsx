import type { ComponentChildren } from "preact";
import type { Tone } from "./tone.js";

export function Badge({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return (
    <span class="badge" data-tone={tone}>
      {children}
    </span>
  );
}

export function StatusDot({ tone }: { tone: Tone }) {
  return <span class="dot" data-tone={tone} />;
}

/** Status in words, in its color. */
export function Status({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return (
    <span class="status" data-tone={tone}>
      <StatusDot tone={tone} />
      {children}
    </span>
  );
}
