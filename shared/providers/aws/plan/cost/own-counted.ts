/**
 * What a month of sweeps every five minutes uses, as `npm run bench -- cost` has counted; the alarms' metrics are those
 * of the template. A test compares it with the figures of docs/cost.md: both have to be counted again when sweeps become
 * cheaper or dearer.
 */
import type { Usage } from './usage.ts';

/** Of the cluster that was counted. */
export const COUNTED_MACHINES = 13;

/** What an installation uses without any cluster. */
export const INSTALLATION_MONTH: Usage = {
  alarmMetricMonths: 37,
  keyMonths: 1,
  keyRequests: 8_760,
  invocations: 8_760,
  gigabyteSeconds: 2_057,
  readUnits: 61_320,
  logGigabytes: 0.0104,
};

/** What each further cluster adds while nothing changes: 9 read units and 0.04 GB-seconds for each of 8,760 sweeps. */
export const SWEPT_CLUSTER_MONTH: Usage = { readUnits: 78_840, gigabyteSeconds: 320 };
