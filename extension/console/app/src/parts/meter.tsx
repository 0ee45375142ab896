const NEAR = 80;
const FULL = 100;

/** Part of a quota that is used; `title` says it in words. */
export function Meter({ percent, title }: { percent: number; title: string }) {
  const tone = percent >= FULL ? "dead" : percent > NEAR ? "wait" : "good";
  return (
    <span class="meter" role="img" aria-label={title} title={title}>
      <span data-tone={tone} style={{ width: `${Math.min(Math.max(percent, 0), FULL)}%` }} />
    </span>
  );
}
