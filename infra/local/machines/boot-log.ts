import type { Clock } from '../../../shared/clock.ts';

/** The output of a machine while it boots, as the console of an EC2 instance shows it. */
export interface BootLog {
  /** Adds one line with the time since the machine's start. Never called with a secret. */
  line(source: string, text: string): void;
  lines(): string[];
  /** When the machine started, in milliseconds since the epoch. */
  readonly start: number;
}

/** The oldest lines are dropped beyond this number; EC2 keeps only the last 64 KiB of a console. */
const KEPT_LINES = 500;

/** A boot log whose times are read from `clock`, beginning with this call. */
export const makeBootLog = (
  clock: Clock,
  earlier: { start: number; lines: readonly string[] } | undefined = undefined,
): BootLog => {
  const start = earlier?.start ?? clock.now().getTime();
  const kept: string[] = [...(earlier?.lines ?? [])];
  return {
    start,
    line: (source, text) => {
      const seconds = ((clock.now().getTime() - start) / 1000).toFixed(3).padStart(9);
      kept.push(`[${seconds}] ${source}: ${text}`);
      if (kept.length > KEPT_LINES) kept.shift();
    },
    lines: () => [...kept],
  };
};
