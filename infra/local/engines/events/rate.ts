const UNITS: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/**
 * The milliseconds between two invocations of `rate(<n> <unit>)`. The unit is singular for 1 and plural otherwise, as
 * EventBridge requires. Throws for anything else, including cron expressions, and names it.
 */
export const rateMilliseconds = (expression: string): number => {
  const [, count = '', unit = '', plural = ''] = /^rate\((\d+) (minute|hour|day)(s?)\)$/.exec(expression) ?? [];
  const milliseconds = Number(count) * (UNITS[unit] ?? 0);
  if (milliseconds === 0 || (Number(count) === 1) !== (plural === ''))
    throw new Error(`the laptop does not know the schedule "${expression}"`);
  return milliseconds;
};
