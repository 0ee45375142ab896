const WIDTH = 200;
const HEIGHT = 30;

/** Course of a figure beside its number, which says the value. `color` is a name of the tokens, such as `c1`. */
export function Sparkline({ values, color = "c1" }: { values: readonly number[]; color?: string }) {
  if (values.length < 2) return null;
  const most = Math.max(...values, 1);
  const points = values.map((value, index) => {
    const x = (index / (values.length - 1)) * WIDTH;
    return `${x.toFixed(1)},${(HEIGHT - 2 - (value / most) * (HEIGHT - 6)).toFixed(1)}`;
  });
  return (
    <svg class="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <polygon points={`0,${HEIGHT} ${points.join(" ")} ${WIDTH},${HEIGHT}`} fill={`var(--${color})`} opacity="0.12" />
      <polyline
        points={points.join(" ")}
        fill="none"
        stroke={`var(--${color})`}
        stroke-width="1.6"
        vector-effect="non-scaling-stroke"
      />
    </svg>
  );
}
