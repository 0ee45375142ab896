import { lazy } from "./lazy.js";
import { Skeleton } from "./skeleton.js";

/** Chart whose code is loaded when the first one is drawn. */
export const LazyChart = lazy(async () => (await import("./chart/chart.js")).Chart, <Skeleton />);
