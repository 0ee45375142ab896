import type { Tone } from "./tone.js";

/** Results of the last checks, the oldest first; `title` says them in words. */
export function Ticks({ tones, title }: { tones: readonly Tone[]; title: string }) {
  return (
    <span class="ticks" role="img" aria-label={title} title={title}>
      {tones.map((tone, index) => (
        <span key={index} data-tone={tone} />
      ))}
    </span>
  );
}
