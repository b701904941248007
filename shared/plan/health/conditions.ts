import { formatDuration } from '../../kinds/rules/duration.ts';

/** Nodes come from the client library with dates, and machines come from the store with texts. */
export interface TimedCondition {
  type: string;
  status: string;
  reason?: string;
  lastTransitionTime?: Date | string;
}

/** A condition that makes an object unhealthy if it lasts longer than the timeout. */
export interface UnhealthyCondition {
  type: string;
  status: string;
  timeoutSeconds: number;
}

/** The current problem, and the time from which a future one counts. */
export interface Findings {
  problems: string[];
  /** Milliseconds since 1970. */
  next: number[];
}

/**
 * Whether something that began at `since` lasts longer than `seconds`, and when it will. Like upstream, adds a second.
 */
export const timeout = (since: number, seconds: number, now: Date): { over: boolean; at: number } => {
  const end = since + seconds * 1000;
  return { over: end < now.getTime(), at: end + 1000 };
};

/** Evaluates the conditions of a Machine or a Node (`of`) according to `spec.checks`. */
export const findUnhealthy = (
  of: 'Machine' | 'Node',
  unhealthy: readonly UnhealthyCondition[],
  conditions: readonly TimedCondition[],
  now: Date,
): Findings => {
  const findings: Findings = { problems: [], next: [] };
  for (const { type, status, timeoutSeconds } of unhealthy) {
    const found = conditions.find((condition) => condition.type === type);
    const since = new Date(found?.lastTransitionTime ?? Number.NaN).getTime();
    // A condition without a time does not show how long it has lasted.
    if (found?.status !== status || Number.isNaN(since)) continue;
    const { over, at } = timeout(since, timeoutSeconds, now);
    if (!over) findings.next.push(at);
    else {
      const reason = found.reason ?? '';
      const lasts = formatDuration(timeoutSeconds);
      findings.problems.push(
        `Condition ${type} on ${of} is reporting status ${status} with reason ${reason} for more than ${lasts}`,
      );
    }
  }
  return findings;
};
