/**
 * A number, or a percentage of `of`, which is rounded by `round`. The same as apimachinery's
 * GetScaledValueFromIntOrPercent.
 */
export const scaledValue = (value: number | string, of: number, round: (share: number) => number): number =>
  typeof value === 'number' ? value : round((Number.parseInt(value, 10) * of) / 100);
