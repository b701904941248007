import type { Machine } from '../../kinds/index.ts';
import { formatDuration } from '../../kinds/rules/duration.ts';
import { formatTime } from '../../kube-api/object.ts';
import { type RemediationData, remediationFor } from './remediation-data.ts';

/** `spec.remediation` of a control plane. */
export interface RemediationSettings {
  maxRetry?: number;
  retryPeriodSeconds?: number;
  /** The name of the retry period in conditions; default `RetryPeriodSeconds`. */
  retryPeriodName?: string;
  minHealthyPeriodSeconds?: number;
}

const DEFAULT_MIN_HEALTHY_SECONDS = 3600;

/** Either the record of the remediation that may start now, or the reason that none may. */
export type Retry = { data: RemediationData } | { reason: string; message: string };

/**
 * Whether a machine may be remediated now. A machine that was created by a remediation and fails within the healthy
 * period counts as another attempt for the same machine, and attempts are limited in number and frequency (upstream's
 * checkRetryLimits). `kind`: the kind of the control plane, for the message.
 */
export const checkRetryLimits = (
  machine: Machine,
  { kind, ...settings }: RemediationSettings & { kind: string },
  now: Date,
): Retry => {
  const first = { machine: machine.metadata.name, timestamp: formatTime(now), retryCount: 0 };
  const last = remediationFor(machine);
  const since = Date.parse(last?.timestamp ?? '');
  const minHealthy = settings.minHealthyPeriodSeconds ?? DEFAULT_MIN_HEALTHY_SECONDS;
  const isOver = (seconds: number) => since + seconds * 1000 <= now.getTime();
  // A record without a time is of unknown age, and is treated as old.
  if (!last || Number.isNaN(since) || isOver(minHealthy)) return { data: first };
  const period = settings.retryPeriodSeconds ?? 0;
  if (!isOver(period)) {
    const message = `${kind} can't remediate this machine because the operation already failed in the latest ${formatDuration(period)} (${settings.retryPeriodName ?? 'RetryPeriodSeconds'})`;
    return { reason: 'RemediationDeferred', message };
  }
  const { maxRetry } = settings;
  if (maxRetry !== undefined && last.retryCount >= maxRetry) {
    const message = `${kind} can't remediate this machine because the operation already failed ${maxRetry} times (MaxRetry)`;
    return { reason: 'CannotBeRemediated', message };
  }
  return { data: { ...first, retryCount: last.retryCount + 1 } };
};

/** When the limits may allow the remediation of a machine that they prevent now. Only time changes that. */
export const retryTimes = (machine: Machine, settings: RemediationSettings, now: Date): Date[] => {
  const since = Date.parse(remediationFor(machine)?.timestamp ?? '');
  if ('data' in checkRetryLimits(machine, { ...settings, kind: '' }, now)) return [];
  const { retryPeriodSeconds = 0, minHealthyPeriodSeconds = DEFAULT_MIN_HEALTHY_SECONDS } = settings;
  return [retryPeriodSeconds, minHealthyPeriodSeconds].map((seconds) => new Date(since + seconds * 1000));
};
