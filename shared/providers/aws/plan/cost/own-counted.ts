/**
 * The usage in a month of sweeps every five minutes, as counted by `npm run bench -- cost`; the alarms' metrics are
 * those of the template. A test compares it with the figures in docs/cost.md. Both must be counted again when sweeps
 * become cheaper or more expensive.
 */
import type { Usage } from './usage.ts';

/** The number of machines in the measured cluster. */
export const COUNTED_MACHINES = 13;

/** The usage of an installation without any cluster. */
export const INSTALLATION_MONTH: Usage = {
  alarmMetricMonths: 37,
  keyMonths: 1,
  keyRequests: 8_760,
  invocations: 8_760,
  gigabyteSeconds: 2_057,
  readUnits: 61_320,
  logGigabytes: 0.0104,
};

/**
 * The additional usage of each cluster while nothing changes: 9 read units and 0.04 GB-seconds for each of 8,760
 * sweeps.
 */
export const SWEPT_CLUSTER_MONTH: Usage = { readUnits: 78_840, gigabyteSeconds: 320 };
