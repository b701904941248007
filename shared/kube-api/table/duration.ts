const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/** An age below `below` seconds is shown in `unit`s, followed by `rest` units unless there are none. */
const SCALES: readonly { below: number; unit: number; sign: string; rest?: number; restSign?: string }[] = [
  { below: 2 * MINUTE, unit: 1, sign: 's' },
  { below: 10 * MINUTE, unit: MINUTE, sign: 'm', rest: 1, restSign: 's' },
  { below: 3 * HOUR, unit: MINUTE, sign: 'm' },
  { below: 8 * HOUR, unit: HOUR, sign: 'h', rest: MINUTE, restSign: 'm' },
  { below: 2 * DAY, unit: HOUR, sign: 'h' },
  { below: 8 * DAY, unit: DAY, sign: 'd', rest: HOUR, restSign: 'h' },
  { below: 2 * YEAR, unit: DAY, sign: 'd' },
  { below: 8 * YEAR, unit: YEAR, sign: 'y', rest: DAY, restSign: 'd' },
  { below: Number.POSITIVE_INFINITY, unit: YEAR, sign: 'y' },
];

/**
 * Formats an age as kubectl does, with about two significant figures: `3m20s`, `47h`, `7d4h`
 * (k8s.io/apimachinery/pkg/util/duration HumanDuration). A time less than two seconds in the future is `0s`, any later
 * one `<invalid>`.
 */
export const humanDuration = (milliseconds: number): string => {
  const seconds = Math.trunc(milliseconds / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  const scale = SCALES.find(({ below }) => seconds < below);
  if (!scale) return '<invalid>';
  const whole = `${Math.floor(seconds / scale.unit)}${scale.sign}`;
  const rest = scale.rest === undefined ? 0 : Math.floor((seconds % scale.unit) / scale.rest);
  return rest === 0 ? whole : `${whole}${rest}${scale.restSign}`;
};
