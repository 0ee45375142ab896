import { text } from "../language/catalogue.js";

/** Gray lines in place of rows that are being read for the first time. */
export function Skeleton({ rows = 6 }: { rows?: number }) {
  return (
    <div class="skeleton" role="status" aria-label={text("shell.loading")}>
      {Array.from({ length: rows }, (_, index) => (
        <span key={index} />
      ))}
    </div>
  );
}
