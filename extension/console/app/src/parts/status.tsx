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

/** Status in words, in its color; `title` says what it means. */
export function Status(props: { tone: Tone; title?: string; children: ComponentChildren }) {
  const { tone, title, children } = props;
  return (
    <span class="status" data-tone={tone} title={title}>
      <StatusDot tone={tone} />
      {children}
    </span>
  );
}
