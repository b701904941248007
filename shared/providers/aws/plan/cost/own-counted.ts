/**
 * What `npm run bench -- cost --json` has counted (`own`) on 2026-11-23, of a month of sweeps every five minutes. To be
 * counted again when sweeps become cheaper or dearer; docs/cost.md has the same figures.
 */
import type { Usage } from './usage.ts';

/** Of the cluster that was counted. */
export const COUNTED_MACHINES = 13;

/** What an installation uses without any cluster. */
export const INSTALLATION_MONTH: Usage = {
  alarmMetricMonths: 34,
  keyMonths: 1,
  keyRequests: 8_760,
  invocations: 8_760,
  gigabyteSeconds: 2_057,
  readUnits: 61_320,
  logGigabytes: 0.0104,
};

/** What each of many clusters adds while nothing changes. */
export const SWEPT_CLUSTER_MONTH: Usage = {
  readUnits: 376_154,
  gigabyteSeconds: 2_021,
  keyRequests: 1_717,
  logGigabytes: 0.0023,
};
