import { renewalTime } from '../../../../shared/bootstrap/certificates/kubeconfig.ts';
import { secretName } from '../../../../shared/bootstrap/certificates/secrets.ts';
import { type Cluster, kinds, type MachineHealthCheck } from '../../../../shared/kinds/index.ts';
import { isStandalone } from '../../../../shared/plan/control-plane/standalone.ts';
import { certificatesDueAt } from '../../../../shared/plan/control-plane/up-to-date.ts';
import { ANNOTATION, isControlPlaneMachine } from '../../../../shared/plan/labels.ts';
import { isPaused } from '../../../../shared/plan/status/cluster-claims.ts';
import { longUnreadyAt } from '../../../../shared/plan/status/long-unready.ts';
import { isObjectPaused } from '../../../../shared/plan/status/paused.ts';
import { currentToken, type PoolObjects } from '../../pools.ts';
import { type ClusterSnapshot, controlPlaneMachines } from '../../snapshot.ts';
import type { ObjectsDependencies } from '../dependencies.ts';
import { ownKubeconfig } from '../key-material/kubeconfig.ts';
import { availableTimes } from '../workers/available.ts';
import { remediationTimes } from './settled.ts';

/**
 * A cluster with health checks is due again after this time, that is, at the next sweep, if the sweep does not know its
 * machines: nothing else checks its nodes. The sweep itself checks those of all other clusters.
 */
const LOOK_SECONDS = 30;

/** The sweep finds machines through their infrastructure, and only that of built-in providers. */
const isSwept = ({ infrastructureCluster, provider, infrastructureMachines, machines }: ClusterSnapshot): boolean =>
  infrastructureCluster !== null &&
  provider?.isOutside !== true &&
  machines.every(({ metadata }) => infrastructureMachines.has(metadata.name));

/**
 * The time when a settled cluster needs a pass although nothing changes: when its kubeconfig reaches half of its
 * validity, certificates of its machines are due, a rollout must begin, pools need new bootstrap tokens, the timeout of
 * a health check ends, `minReadySeconds` of a machine are over, an unhealthy control plane machine may be replaced
 * again, or machines no longer wait for the infrastructure. Until then, the cluster costs nothing but an entry in the
 * index of due items. Times that have passed are omitted, because the current pass has handled them.
 */
export const nextDue = async (
  { objects, clock }: Pick<ObjectsDependencies, 'objects' | 'clock'>,
  snapshot: ClusterSnapshot,
  pools: readonly PoolObjects[],
): Promise<Date | undefined> => {
  const rollouts = snapshot.deployments.flatMap(({ spec }) =>
    spec.rollout?.after ? [new Date(spec.rollout.after)] : [],
  );
  const now = clock.now();
  const checks = await healthChecks(objects, snapshot);
  const looks = checks.length > 0 && !isSwept(snapshot) ? [new Date(now.getTime() + LOOK_SECONDS * 1000)] : [];
  const tokens = pools.flatMap((pool) => currentToken(pool, now)?.endsAt ?? []);
  const certificates = await controlPlaneTimes(objects, snapshot);
  const available = availableTimes(snapshot);
  const times = [...rollouts, ...looks, ...checkTimes(checks), ...tokens, ...certificates, ...available];
  return earliest([...times, ...remediationTimes(snapshot, now), ...unreadyTimes(snapshot)], now);
};

const earliest = (times: readonly Date[], now: Date): Date | undefined =>
  times.filter((time) => time.getTime() > now.getTime()).sort((a, b) => a.getTime() - b.getTime())[0];

/** The health checks that currently apply to a cluster. */
const healthChecks = async (
  objects: ObjectsDependencies['objects'],
  { cluster }: ClusterSnapshot,
): Promise<MachineHealthCheck[]> => {
  if (isPaused(cluster) || cluster.metadata.deletionTimestamp) return [];
  const { namespace = '', name } = cluster.metadata;
  const checks = await objects.listOfCluster(kinds.machineHealthCheck, namespace, name);
  return checks.filter((check) => !isObjectPaused(check));
};

const checkTimes = (checks: readonly MachineHealthCheck[]): Date[] =>
  checks.flatMap(({ metadata }) => {
    const next = metadata.annotations?.[ANNOTATION.nextCheck];
    return next ? [new Date(next)] : [];
  });

/** The seconds until the next timeout of a health check ends; undefined if none is running. */
export const secondsToNextCheck = async (
  { objects, clock }: Pick<ObjectsDependencies, 'objects' | 'clock'>,
  snapshot: ClusterSnapshot,
): Promise<number | undefined> => {
  return secondsTo(checkTimes(await healthChecks(objects, snapshot)), clock.now());
};

const secondsTo = (times: readonly Date[], now: Date): number | undefined => {
  const next = earliest(times, now);
  return next && Math.ceil((next.getTime() - now.getTime()) / 1000);
};

/** The seconds until the next machine becomes Available; undefined if none is waiting for that. */
export const secondsToNextAvailable = (
  { clock }: Pick<ObjectsDependencies, 'clock'>,
  snapshot: ClusterSnapshot,
): number | undefined => secondsTo(availableTimes(snapshot), clock.now());

/** When machines no longer wait for the infrastructure; empty if they do not. */
const unreadyTimes = ({ cluster }: ClusterSnapshot): Date[] =>
  isPaused(cluster) || cluster.metadata.deletionTimestamp ? [] : [longUnreadyAt(cluster) ?? []].flat();

/**
 * The seconds until the next machine becomes Available, an unhealthy control plane machine may be replaced again, or
 * machines no longer wait for the infrastructure.
 */
export const secondsToNextMoment = (
  { clock }: Pick<ObjectsDependencies, 'clock'>,
  snapshot: ClusterSnapshot,
): number | undefined => {
  const now = clock.now();
  return secondsTo([...availableTimes(snapshot), ...remediationTimes(snapshot, now), ...unreadyTimes(snapshot)], now);
};

/** The times when kubeconfigs are renewed that an object of this kind owns. */
const renewalTimes = async (
  objects: ObjectsDependencies['objects'],
  { metadata: { namespace = '', name } }: Cluster,
  ownerKind: string,
): Promise<Date[]> => {
  const secret = await objects.get(kinds.secret, { namespace, name: secretName(name, 'kubeconfig') });
  const kubeconfig = ownKubeconfig(secret, ownerKind);
  return kubeconfig ? [renewalTime(kubeconfig.text, kubeconfig.field)] : [];
};

const controlPlaneTimes = async (
  objects: ObjectsDependencies['objects'],
  snapshot: ClusterSnapshot,
): Promise<Date[]> => {
  const { cluster, controlPlane, distribution } = snapshot;
  if (isStandalone(cluster) && snapshot.machines.some(isControlPlaneMachine))
    return renewalTimes(objects, cluster, kinds.cluster.kind);
  if (!controlPlane || !distribution || distribution.isOutside) return [];
  const dates = distribution.rolloutDates(controlPlane);
  return [
    ...(await renewalTimes(objects, cluster, distribution.controlPlane.kind)),
    ...controlPlaneMachines(snapshot).flatMap((machine) => certificatesDueAt(dates, machine) ?? []),
    ...(dates.after ? [new Date(dates.after)] : []),
  ];
};
