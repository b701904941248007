/** Computes monthly costs from one measurement. Pure. */
import {
  addUsage,
  timesUsage,
  type Usage,
  usageSince,
  withoutUnits,
} from '../../../../shared/providers/aws/plan/cost/usage.ts';

/** The usage that the meter has counted for each event. */
export interface Counted {
  bootSeconds: number;
  controlPlane: number;
  workers: number;
  /** Per month, regardless of activity. */
  fixed: Usage;
  /** Metrics that have values in every hour: those of the sweep alone, and those with active clusters. */
  metrics: { idle: number; alive: number };
  /**
   * One sweep: without clusters, with one that is not checked in detail, and with one that is; and the additional usage
   * for each further cluster, as long as no list needs another call.
   */
  sweep: { empty: Usage; far: Usage; near: Usage; further: Usage };
  create: Usage;
  remove: Usage;
  replaceControlPlane: Usage;
  replaceWorker: Usage;
  /** The additional usage of one sweep for a cluster with a MachineHealthCheck, including the pass that follows. */
  healthCheck: Usage;
  /** An hour of an open watch without events. */
  watchHour: Usage;
  /** The size of a cluster in the table. */
  tableGigabytes: number;
}

/** The clusters of an installation. */
export interface Fleet {
  clusters: number;
  /** 5% of the machines are replaced in a month, and every cluster is upgraded once in a quarter. */
  isAlive?: boolean;
  healthChecks?: boolean;
  /** Watches that are always open. */
  watches?: number;
}

/** The default of the setting `sweepMinutes`. */
export const SWEEP_MINUTES = 5;
const HOURS = 730;
const SWEEPS = (HOURS * 60) / SWEEP_MINUTES;

/** How many clusters are checked in detail per sweep (functions/drift/fleet/turns.ts). */
const CLOSE_LOOKS = 20;

const CHURN = 0.05;
const UPGRADES = 1 / 3;

/** Metrics are billed by the hour, not by event, so they are counted separately. */
const perHappening = (usage: Usage): Usage => withoutUnits(usage, ['metricMonths']);

/** Each sweep calls KMS for the table's key, because DynamoDB caches it for only five minutes without requests. */
const OPEN_TABLE: Usage = { keyRequests: 1 };

const sweepOf = ({ sweep: { empty, far, near, further } }: Counted, clusters: number): Usage => {
  if (clusters === 0) return addUsage(empty, OPEN_TABLE);
  const ofCloseLook = usageSince(far, near);
  const close = timesUsage(ofCloseLook, Math.min(clusters, CLOSE_LOOKS));
  return addUsage(far, OPEN_TABLE, timesUsage(further, clusters - 1), close);
};

/** A cluster's replacements per month: those from churn, and all machines in an upgrade. */
const lifeOf = ({ controlPlane, workers, replaceControlPlane, replaceWorker }: Counted): Usage => {
  const share = CHURN + UPGRADES;
  return addUsage(timesUsage(replaceControlPlane, controlPlane * share), timesUsage(replaceWorker, workers * share));
};

/** The monthly usage of an installation with this fleet. */
export const monthOf = (counted: Counted, { clusters, isAlive, healthChecks, watches = 0 }: Fleet): Usage => {
  const { fixed, metrics, healthCheck, watchHour, tableGigabytes } = counted;
  const gigabytes = clusters * tableGigabytes;
  const { idle, alive } = metrics;
  return addUsage(
    fixed,
    { metricMonths: clusters > 0 && (isAlive || healthChecks || watches > 0) ? alive : idle },
    { tableGigabyteMonths: gigabytes, backupGigabyteMonths: gigabytes },
    perHappening(timesUsage(sweepOf(counted, clusters), SWEEPS)),
    isAlive ? perHappening(timesUsage(lifeOf(counted), clusters)) : {},
    healthChecks ? perHappening(timesUsage(healthCheck, SWEEPS * clusters)) : {},
    perHappening(timesUsage(watchHour, HOURS * watches)),
  );
};

/**
 * In a fleet of a thousand clusters: the share of one cluster in a month of sweeps, and the fixed usage of the
 * installation.
 */
export const ownMonths = (counted: Counted) => {
  const MANY = 1_000;
  const installation = monthOf(counted, { clusters: 0 });
  const swept = usageSince(installation, monthOf(counted, { clusters: MANY }));
  return { machines: counted.controlPlane + counted.workers, installation, cluster: timesUsage(swept, 1 / MANY) };
};

export const FLEETS = [0, 1, 10, 100, 1_000, 10_000];

/** The columns of the table of months: the activity of the clusters. */
export const LIVES: Readonly<Record<string, Omit<Fleet, 'clusters'>>> = {
  idle: {},
  'with changes': { isAlive: true },
  'and a health check each': { isAlive: true, healthChecks: true },
  'and a watch': { isAlive: true, healthChecks: true, watches: 1 },
};

/** The usage of single events, without what is billed by the hour for the whole installation. */
export const happenings = (counted: Counted): Readonly<Record<string, Usage>> => ({
  create: perHappening(counted.create),
  delete: perHappening(counted.remove),
  'replace a control plane machine': perHappening(counted.replaceControlPlane),
  'replace a worker': perHappening(counted.replaceWorker),
  'a sweep without clusters': perHappening(counted.sweep.empty),
  'additional cost of a sweep for the first cluster': perHappening(usageSince(counted.sweep.empty, counted.sweep.far)),
  'additional cost of a sweep for each further cluster': perHappening(counted.sweep.further),
  'a close look of a sweep at a cluster': perHappening(usageSince(counted.sweep.far, counted.sweep.near)),
  'a health check, each sweep': perHappening(counted.healthCheck),
  'an open watch, an hour': perHappening(counted.watchHour),
});
