/** A number, or a share of `of`; shares round up or down. As apimachinery's GetScaledValueFromIntOrPercent. */
export const scaledValue = (value: number | string, of: number, round: (share: number) => number): number =>
  typeof value === 'number' ? value : round((Number.parseInt(value, 10) * of) / 100);
