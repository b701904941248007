/**
 * Remediation of a control plane's machines. It happens here, and not where the control plane is scaled, because it
 * needs a connection to the workload cluster to query etcd.
 */

import type { Distribution } from '../../../shared/distributions/distribution.ts';
import type { ControlPlane } from '../../../shared/kinds/contract-objects.ts';
import { type Cluster, kinds, type Machine } from '../../../shared/kinds/index.ts';
import { keyOf } from '../../../shared/kube-api/object.ts';
import type { EtcdView } from '../../../shared/plan/control-plane/etcd-view.ts';
import { wantedMachines } from '../../../shared/plan/control-plane/plan.ts';
import { currentRemediation, planControlPlaneRemediation } from '../../../shared/plan/control-plane/remediation.ts';
import {
  inProgress,
  type RemediationData,
  withRemediation,
} from '../../../shared/plan/control-plane/remediation-data.ts';
import { awaitsRemediation, withoutNeedlessRemediation } from '../../../shared/plan/health/machine.ts';
import { withObservation } from '../../../shared/plan/machines/status.ts';
import { type ConditionClaim, findCondition } from '../../../shared/plan/status/conditions.ts';
import { UPDATING } from '../../../shared/plan/status/counts.ts';
import { isObjectPaused } from '../../../shared/plan/status/paused.ts';
import type { ClusterRef } from '../../../shared/work/payloads.ts';
import { WorkloadUnreachableError } from '../../../shared/workload/client.ts';
import { etcdCluster } from '../etcd-cluster.ts';
import { configsFor } from '../etcd-configs.ts';
import { readWorkloadTarget } from '../kubeconfig-secret.ts';
import { mixedManagement } from '../objects/control-plane/adopt.ts';
import { type ClusterSnapshot, isControlledBy, readClusterObject, readControlPlane } from '../snapshot.ts';
import type { ProbeDependencies } from './dependencies.ts';
import { remediationRecorder } from './reasons.ts';

type Dependencies = Pick<ProbeDependencies, 'objects' | 'clock' | 'work' | 'connect'>;

interface Scene {
  ref: ClusterRef;
  cluster: Cluster;
  controlPlane: ControlPlane;
  distribution: Distribution;
  machines: readonly Machine[];
  wanted: number;
}

const isConcerned = (machine: Machine): boolean =>
  awaitsRemediation(machine) || withoutNeedlessRemediation(machine) !== undefined;

/** Whether a machine of the cluster needs remediation, or a remediation of its control plane has begun. */
export const concernsRemediation = ({ controlPlane, machines }: ClusterSnapshot): boolean =>
  machines.some(isConcerned) || (controlPlane !== null && inProgress(controlPlane) !== undefined);

/** Takes the next step of remediating a control plane's machines that health checks have marked. */
export const remediateControlPlane = async (deps: Dependencies, ref: ClusterRef): Promise<void> => {
  const scene = await setScene(deps, ref);
  if (!scene) return;
  const { controlPlane, distribution, machines, wanted } = scene;
  if (inProgress(controlPlane) && !currentRemediation(controlPlane, machines, wanted)) {
    await writeData(deps, scene, undefined);
  }
  await Promise.all(machines.map((machine) => clear(deps, machine)));
  const health = distribution.healthConditions(controlPlane);
  const settings = distribution.remediation(controlPlane);
  const facts = { controlPlane, machines, wanted, settings, health, now: deps.clock.now() };
  const plan = planControlPlaneRemediation({ ...facts, etcd: 'unasked' });
  const next =
    plan.do === 'ask-etcd' ? planControlPlaneRemediation({ ...facts, etcd: await askEtcd(deps, scene) }) : plan;
  if (next.do === 'wait') await writeClaim(deps, next.machine, next.claim);
  if (next.do === 'remove') await remove(deps, scene, next);
};

/** The facts for the decision, read after the health checks have written. */
const setScene = async ({ objects }: Dependencies, ref: ClusterRef): Promise<Scene | undefined> => {
  const cluster = await readClusterObject(objects, ref);
  if (!cluster) return undefined;
  const { controlPlane, distribution } = await readControlPlane(objects, cluster);
  if (
    !controlPlane ||
    !distribution ||
    distribution.isOutside ||
    controlPlane.metadata.deletionTimestamp ||
    isObjectPaused(controlPlane)
  ) {
    return undefined;
  }
  const all = await objects.listOfCluster(kinds.machine, ref.namespace, ref.name);
  if (mixedManagement({ controlPlane, distribution, machines: all })) return undefined;
  const machines = all.filter((machine) => isControlledBy(machine, controlPlane));
  if (!machines.some(isConcerned) && !inProgress(controlPlane)) return undefined;
  const maxSurge = distribution.maxSurge?.(controlPlane) ?? 1;
  const wanted = wantedMachines(controlPlane, machines.some(isOutdated), maxSurge);
  return { ref, cluster, controlPlane, distribution, machines, wanted };
};

/** The last pass reported whether a machine is outdated: that depends on objects that are not read here. */
const isOutdated = ({ status }: Machine): boolean => {
  const found = findCondition(status?.conditions, 'UpToDate');
  return found?.status === 'False' && found.reason !== UPDATING;
};

const clear = async ({ objects }: Dependencies, machine: Machine): Promise<void> => {
  if (withoutNeedlessRemediation(machine)) {
    await objects.mutate(kinds.machine, keyOf(machine), withoutNeedlessRemediation);
  }
};

const writeData = (
  { objects }: Dependencies,
  { controlPlane, distribution }: Scene,
  data: RemediationData | undefined,
) => objects.mutate(distribution.controlPlane, keyOf(controlPlane), (current) => withRemediation(current, data));

const writeClaim = ({ objects, clock }: Dependencies, machine: Machine, claim: ConditionClaim) =>
  objects.mutate(kinds.machine, keyOf(machine), (current) =>
    withObservation(current, { health: [claim] }, clock.now()),
  );

/** Undefined if etcd or the API server does not answer. */
const askEtcd = async (deps: Dependencies, scene: Scene): Promise<EtcdView | undefined> => {
  const { cluster, controlPlane, distribution, machines } = scene;
  const access = distribution.etcd?.(controlPlane);
  const target = access && (await readWorkloadTarget(deps.objects, cluster));
  if (!access || !target) return undefined;
  // Healthy members are queried first.
  const ordered = [...machines].sort((a, b) => Number(awaitsRemediation(a)) - Number(awaitsRemediation(b)));
  const nodes = ordered.flatMap(({ status }) => status?.nodeRef?.name ?? []);
  const client = deps.connect(target);
  try {
    const configOf = configsFor(deps.objects, access, distribution, machines);
    return await etcdCluster({ access, run: client.execute, configOf }, nodes).view();
  } catch (error) {
    if (error instanceof WorkloadUnreachableError) return undefined;
    throw error;
  } finally {
    await client.close();
  }
};

/**
 * Writes the state of the remediation first and deletes the machine last, so that an interrupted remediation continues
 * and every attempt is counted.
 */
const remove = async (
  deps: Dependencies,
  scene: Scene,
  { machine, claim, data }: { machine: Machine; claim: ConditionClaim; data: RemediationData },
): Promise<void> => {
  const { controlPlane, distribution, ref } = scene;
  await writeData(deps, scene, data);
  await writeClaim(deps, machine, claim);
  await deps.objects.delete(kinds.machine, machine);
  const message = `Deleted Machine ${machine.metadata.name} because it is unhealthy`;
  await remediationRecorder(deps, distribution).normal(controlPlane, 'SuccessfulDelete', message);
  // The next pass starts the machine's removal.
  await deps.work.touch(ref);
};
