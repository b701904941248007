import { formatDuration } from '../../kinds/rules/duration.ts';

/** Nodes come from the library with dates, machines from the store with text. */
export interface TimedCondition {
  type: string;
  status: string;
  reason?: string;
  lastTransitionTime?: Date | string;
}

/** A condition that makes an object unhealthy when it stays so for longer than the timeout. */
export interface UnhealthyCondition {
  type: string;
  status: string;
  timeoutSeconds: number;
}

/** The current problem, and when a future one will count. */
export interface Findings {
  problems: string[];
  /** Milliseconds since 1970. */
  next: number[];
}

/** Whether something that began at `since` lasts longer than `seconds`, and when it will. Upstream adds a second, too. */
export const timeout = (since: number, seconds: number, now: Date): { over: boolean; at: number } => {
  const end = since + seconds * 1000;
  return { over: end < now.getTime(), at: end + 1000 };
};

/** Evaluates the conditions of a Machine or a Node (`of`) by `spec.checks`. */
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
