import type { V1Node } from '@kubernetes/client-node';
import { secretName } from '../../../shared/bootstrap/certificates/secrets.ts';
import { describeError } from '../../../shared/decode/describe-error.ts';
import type { BootstrapConfig } from '../../../shared/kinds/contract-objects.ts';
import { wantsMembership } from '../../../shared/plan/control-plane/etcd-members.ts';
import type { EtcdMembership } from '../../../shared/plan/control-plane/etcd-view.ts';
import { isStandalone } from '../../../shared/plan/control-plane/standalone.ts';
import type { SystemPod } from '../../../shared/plan/control-plane/system-pod.ts';
import { isControlPlaneMachine } from '../../../shared/plan/labels.ts';
import { findNode } from '../../../shared/plan/machines/node.ts';
import type { ConditionClaim } from '../../../shared/plan/status/conditions.ts';
import { certificatesProblem } from '../../../shared/plan/status/control-plane.ts';
import type { ConvergeInput } from '../../../shared/work/payloads.ts';
import type { WorkloadTarget } from '../../../shared/workload/access.ts';
import {
  type WorkloadClient,
  WorkloadRefusedError,
  WorkloadUnreachableError,
} from '../../../shared/workload/client.ts';
import { readMembership } from '../etcd-members.ts';
import { readWorkloadTarget } from '../kubeconfig-secret.ts';
import { isProbed, standaloneDistribution } from '../probed.ts';
import { type ClusterSnapshot, readCluster } from '../snapshot.ts';
import { applyProbe } from './apply-probe.ts';
import type { ProbeDependencies } from './dependencies.ts';
import { concerns } from './duties/duty.ts';
import { checkHealth } from './health.ts';
import { removeOrphans } from './orphans.ts';
import { lossOperations, probeOperations, type Reached, type Seen, undatedMachines } from './probe-operations.ts';
import { concernsRemediation, remediateControlPlane } from './remediate-control-plane.ts';
import { ROUTES_DUTY } from './routes/route-nodes.ts';
import { SERVICES_DUTY } from './services/balance-services.ts';
import { removeStrayMember } from './stray-members.ts';
import { syncNodes } from './sync-nodes.ts';
import { reportCapacity } from './template-capacity.ts';
import { tendTokens } from './tend-tokens.ts';
import { runUpgradeTasks } from './upgrade-tasks.ts';

/** Whether lost machines could not be replaced now, because something that they need is missing. */
const isUnfounded = ({ infrastructureCluster, provider, controlPlane }: ClusterSnapshot): boolean =>
  (infrastructureCluster !== null && provider?.lacksFoundation(infrastructureCluster) === true) ||
  (controlPlane !== null && certificatesProblem(controlPlane) !== undefined);

/** `services` and `routes`: whether its Services, or the routes to its pods, must be handled as well. */
interface Probed {
  reached?: boolean;
  routes?: boolean;
  services?: boolean;
}

/**
 * Probes the workload cluster: whether its API answers, whether its control plane is initialized, and the state of its
 * nodes and control plane pods. No request is sent while no control plane instance runs. Health checks use the same
 * answers, but only in a pass in which everything exists that machines need.
 */
export const probe =
  (deps: ProbeDependencies) =>
  async ({ cluster: ref }: ConvergeInput): Promise<Probed> => {
    const snapshot = await readCluster(deps.objects, ref);
    if (!snapshot || !isProbed(snapshot.cluster) || snapshot.cluster.metadata.deletionTimestamp) return {};
    if (isUnfounded(snapshot)) return verdictOn(await lookAndRecord(deps, snapshot));
    await reportCapacity(deps, snapshot);
    const seen = await lookAndRecord(deps, snapshot);
    const isNews = await checkHealth(deps, ref, seen?.reached ? seen.nodes : undefined);
    if (isNews || concernsRemediation(snapshot)) await remediateControlPlane(deps, ref);
    return { ...verdictOn(seen), ...dutiesAfter(snapshot, seen) };
  };

const dutiesAfter = (snapshot: ClusterSnapshot, seen: Seen | undefined): Probed => ({
  ...(concerns(ROUTES_DUTY, snapshot, seen) ? { routes: true } : {}),
  ...(concerns(SERVICES_DUTY, snapshot, seen) ? { services: true } : {}),
});

const verdictOn = (seen: Seen | undefined) => (seen ? { reached: seen.reached } : {});

/** Undefined if no API server can answer yet. */
const lookAndRecord = async (deps: ProbeDependencies, snapshot: ClusterSnapshot): Promise<Seen | undefined> => {
  if (!mayAnswer(snapshot)) return noteLoss(deps, snapshot, 'no control plane Machine has an instance');
  const target = await readWorkloadTarget(deps.objects, snapshot.cluster);
  if (!target) {
    const name = secretName(snapshot.cluster.metadata.name, 'kubeconfig');
    return noteLoss(deps, snapshot, `the Secret ${name} does not exist`);
  }
  const seen = await look(deps, target, snapshot);
  const configs = await readConfigs(deps, snapshot, seen);
  let left: Seen = seen;
  try {
    if (seen.reached) left = await removeStrays(deps, snapshot, seen);
  } finally {
    await applyProbe(deps, snapshot, probeOperations({ snapshot, seen: left, configs }));
  }
  return seen;
};

/** Removes nodes and etcd members that belong to no machine. Resolves to the rest. */
const removeStrays = async (deps: ProbeDependencies, snapshot: ClusterSnapshot, seen: Reached): Promise<Reached> => {
  const removed = await removeOrphans(deps, snapshot, seen.nodes);
  const nodes = seen.nodes.filter(({ metadata }) => !removed.has(metadata?.name ?? ''));
  return { ...seen, nodes, etcd: await removeStrayMember(deps, snapshot, seen) };
};

const noteLoss = async (deps: ProbeDependencies, snapshot: ClusterSnapshot, why: string): Promise<undefined> => {
  await applyProbe(deps, snapshot, lossOperations(snapshot, why));
};

/**
 * A control plane may have no Machines if it is external, or if the user has created it and provides the kubeconfig.
 */
const mayAnswer = ({ cluster, machines, controlPlane, distribution }: ClusterSnapshot): boolean => {
  const own = machines.filter(isControlPlaneMachine);
  const isUsers = isStandalone(cluster) && own.length === 0;
  return (
    (distribution?.isOutside === true && controlPlane?.status?.initialization?.controlPlaneInitialized === true) ||
    (isUsers && cluster.status?.initialization?.infrastructureProvisioned === true) ||
    own.some(({ status }) => status?.initialization?.infrastructureProvisioned)
  );
};

/** An API server that denies reads counts as unreachable, too. */
const asUnreachable = (error: unknown): never => {
  if (error instanceof WorkloadRefusedError) throw new WorkloadUnreachableError(error.message, { cause: error });
  throw error;
};

const look = async (deps: ProbeDependencies, target: WorkloadTarget, snapshot: ClusterSnapshot): Promise<Seen> => {
  const { initializedBy, certificates } = snapshot.distribution ?? {};
  const wantsDates = undatedMachines(snapshot).length > 0;
  const client = deps.connect(target);
  try {
    const [nodes, pods, initialized, stored] = await Promise.all([
      client.nodes(),
      client.controlPlanePods(),
      initializedBy !== undefined && client.hasSystemObject(initializedBy),
      wantsDates && certificates ? client.systemConfigMap(certificates.configMap) : undefined,
    ]).catch(asUnreachable);
    const [etcd, claims] = await Promise.all([
      membersOf(deps, client, snapshot, { nodes, pods }),
      tendCluster(deps, client, snapshot, nodes),
    ]);
    return { reached: true, nodes, pods, initialized, etcd, claims, ...(stored ? { stored } : {}) };
  } catch (error) {
    if (error instanceof WorkloadUnreachableError) return { reached: false, why: error.message };
    throw error;
  } finally {
    await client.close();
  }
};

const membersOf = async (
  { objects, clock }: ProbeDependencies,
  client: WorkloadClient,
  snapshot: ClusterSnapshot,
  { nodes, pods }: { nodes: readonly V1Node[]; pods: readonly SystemPod[] },
): Promise<EtcdMembership | undefined> => {
  const machines = snapshot.machines.filter(isControlPlaneMachine);
  if (!wantsMembership(machines, nodes, clock.now())) return undefined;
  return readMembership(objects, client, snapshot, machines, pods);
};

/**
 * Brings tokens, nodes and the objects of the distribution up to date. Resolves to the resulting conditions of the
 * control plane; if it has no condition for a problem, the problem is logged. An API server that answers reads but no
 * writes, as with an etcd that is full, counts as reached: otherwise passes would look for the nodes of all machines
 * again and again, and find them.
 */
const tendCluster = async (
  deps: ProbeDependencies,
  client: WorkloadClient,
  snapshot: ClusterSnapshot,
  nodes: readonly V1Node[],
): Promise<ConditionClaim[]> => {
  const claims: ConditionClaim[] = [];
  try {
    claims.push(...(await tokensOf(deps, client, snapshot, nodes)));
    await syncNodes(deps, client, snapshot, nodes);
    claims.push(...(await runUpgradeTasks(deps, client, snapshot)));
  } catch (error) {
    if (!(error instanceof WorkloadUnreachableError)) throw error;
    deps.log.warn('the workload cluster was read, but not updated', describeError(error));
  }
  return claims;
};

const tokensOf = async (
  deps: ProbeDependencies,
  client: WorkloadClient,
  snapshot: ClusterSnapshot,
  nodes: readonly V1Node[],
): Promise<ConditionClaim[]> => {
  const distribution = snapshot.distribution ?? standaloneDistribution(snapshot.cluster, snapshot.machines);
  if (!distribution?.usesBootstrapTokens) return [];
  const tokens = await tendTokens(deps, client, snapshot, nodes);
  if (!snapshot.controlPlane)
    for (const { reason, message } of tokens) deps.log.warn('bootstrap tokens are not up to date', { reason, message });
  return tokens;
};

/** The configurations of the few machines whose health depends on them. */
const readConfigs = async (
  { objects }: ProbeDependencies,
  { machines, distribution }: ClusterSnapshot,
  seen: Seen,
): Promise<ReadonlyMap<string, BootstrapConfig>> => {
  if (!distribution) return new Map();
  const { config, healthNeedsConfig } = distribution;
  const wanting = machines.filter((machine) => {
    const node = seen.reached && isControlPlaneMachine(machine) && findNode(seen.nodes, machine.spec.providerID);
    return node && machine.spec.bootstrap.configRef && healthNeedsConfig?.(node, machine);
  });
  const read = await Promise.all(
    wanting.map(async ({ metadata: { namespace = '', name }, spec }) => {
      const found = await objects.get(config, { namespace, name: spec.bootstrap.configRef?.name ?? '' });
      return found ? [[name, found] as const] : [];
    }),
  );
  return new Map(read.flat());
};
