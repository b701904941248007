import type { V1Node, V1Pod } from '@kubernetes/client-node';
import { secretName } from '../../../shared/bootstrap/certificates/secrets.ts';
import type { Distribution } from '../../../shared/distributions/distribution.ts';
import type { ControlPlane } from '../../../shared/kinds/contract-objects.ts';
import { type Cluster, kinds, type Machine } from '../../../shared/kinds/index.ts';
import { withCertificatesExpiry } from '../../../shared/plan/control-plane/certificates-expiry.ts';
import type { HealthFacts } from '../../../shared/plan/control-plane/default-taint.ts';
import { LABEL } from '../../../shared/plan/labels.ts';
import { findNode } from '../../../shared/plan/machines/node.ts';
import { type MachineObservation, withObservation } from '../../../shared/plan/machines/status.ts';
import { readInitializer } from '../../../shared/plan/memory/initializer.ts';
import { type ConditionClaim, isTrue, withConditions } from '../../../shared/plan/status/conditions.ts';
import { certificatesProblem } from '../../../shared/plan/status/control-plane.ts';
import type { ConvergeInput } from '../../../shared/work/payloads.ts';
import type { WorkloadTarget } from '../../../shared/workload/access.ts';
import { WorkloadRefusedError, WorkloadUnreachableError } from '../../../shared/workload/client.ts';
import { endInit } from '../../machine/objects/init-lock.ts';
import { readWorkloadTarget } from '../kubeconfig-secret.ts';
import { type ClusterSnapshot, readCluster } from '../snapshot.ts';
import type { ProbeDependencies } from './dependencies.ts';
import { checkHealth } from './health.ts';
import { removeOrphans } from './orphans.ts';
import { concernsRemediation, remediateControlPlane } from './remediate-control-plane.ts';
import { revokeTokens } from './revoke-tokens.ts';
import { syncNodes } from './sync-nodes.ts';
import { reportCapacity } from './template-capacity.ts';
import { runUpgradeTasks } from './upgrade-tasks.ts';

type StoredConfiguration = Readonly<Record<string, string>>;

type Seen =
  | {
      reached: true;
      nodes: V1Node[];
      pods: V1Pod[];
      initialized: boolean;
      stored?: StoredConfiguration;
      claims: ConditionClaim[];
    }
  | { reached: false; why: string };

/** Machines that are lost could not be replaced now. */
const isUnfounded = ({ infrastructureCluster, provider, controlPlane }: ClusterSnapshot): boolean =>
  (infrastructureCluster !== null && provider?.lacksFoundation(infrastructureCluster) === true) ||
  (controlPlane !== null && certificatesProblem(controlPlane) !== undefined);

/**
 * Looks at the workload cluster as a whole: is its API there, is its control plane initialized, how are its nodes and control
 * plane pods. Nobody is asked while no control plane instance runs. What is seen is also what health checks judge by,
 * but only in a pass that has made all that machines need.
 */
export const probe =
  (deps: ProbeDependencies) =>
  async ({ cluster: ref }: ConvergeInput) => {
    const snapshot = await readCluster(deps.objects, ref);
    if (!snapshot?.distribution || snapshot.cluster.metadata.deletionTimestamp) return {};
    const { distribution } = snapshot;
    if (isUnfounded(snapshot)) return verdictOn(await lookAndRecord(deps, snapshot, distribution));
    await reportCapacity(deps, snapshot);
    const seen = await lookAndRecord(deps, snapshot, distribution);
    const isNews = await checkHealth(deps, ref, seen?.reached ? seen.nodes : undefined);
    if (isNews || concernsRemediation(snapshot)) await remediateControlPlane(deps, ref);
    return verdictOn(seen);
  };

const verdictOn = (seen: Seen | undefined) => (seen ? { reached: seen.reached } : {});

/** Undefined where nobody can answer yet. */
const lookAndRecord = async (
  deps: ProbeDependencies,
  snapshot: ClusterSnapshot,
  distribution: Distribution,
): Promise<Seen | undefined> => {
  if (!mayAnswer(snapshot)) return noteLoss(deps, snapshot, 'no control plane Machine has an instance');
  const target = await readWorkloadTarget(deps.objects, snapshot.cluster);
  if (!target) {
    const name = secretName(snapshot.cluster.metadata.name, 'kubeconfig');
    return noteLoss(deps, snapshot, `the Secret ${name} does not exist`);
  }
  const undated = undatedMachines(snapshot);
  const seen = await look(deps, target, snapshot, distribution, undated.length > 0);
  await Promise.all([
    writeProbe(deps, snapshot.cluster, seen),
    writeControlPlane(deps, snapshot, seen),
    ...snapshot.machines.map((machine) => writeMachine(deps, snapshot, machine, seen)),
    ...undated.map((machine) => dateCertificates(deps, snapshot, machine, seen)),
  ]);
  if (seen.reached) await removeOrphans(deps, snapshot, seen.nodes);
  return seen;
};

/** A cluster that could be reached before and cannot even be asked now is said to be out of reach. */
const noteLoss = async (deps: ProbeDependencies, { cluster }: ClusterSnapshot, why: string): Promise<undefined> => {
  if (isTrue(cluster.status?.conditions, 'RemoteConnectionProbe')) {
    await writeProbe(deps, cluster, { reached: false, why });
  }
};

export const isControlPlane = ({ metadata }: Machine): boolean => LABEL.controlPlane in (metadata.labels ?? {});

const mayAnswer = ({ machines }: ClusterSnapshot): boolean =>
  machines.some((machine) => isControlPlane(machine) && machine.status?.initialization?.infrastructureProvisioned);

/** Control plane machines with a node of whose certificates nobody knows the end yet. */
const undatedMachines = ({ machines }: ClusterSnapshot): Machine[] =>
  machines.filter(
    (machine) => isControlPlane(machine) && machine.status?.nodeRef && !machine.status.certificatesExpiryDate,
  );

/** An API server that does not let us read is out of reach, too. */
const asUnreachable = (error: unknown): never => {
  if (error instanceof WorkloadRefusedError) throw new WorkloadUnreachableError(error.message, { cause: error });
  throw error;
};

const look = async (
  deps: ProbeDependencies,
  target: WorkloadTarget,
  snapshot: ClusterSnapshot,
  { initializedBy, certificates, usesBootstrapTokens }: Distribution,
  wantsDates: boolean,
): Promise<Seen> => {
  const client = deps.connect(target);
  try {
    const [nodes, pods, initialized, stored] = await Promise.all([
      client.nodes(),
      client.controlPlanePods(),
      client.hasSystemObject(initializedBy),
      wantsDates && certificates ? client.systemConfigMap(certificates.configMap) : undefined,
    ]).catch(asUnreachable);
    if (usesBootstrapTokens) await revokeTokens(deps, client, snapshot, nodes);
    await syncNodes(client, snapshot, nodes, deps.synced);
    const claims = await runUpgradeTasks(deps, client, snapshot);
    return { reached: true, nodes, pods, initialized, claims, ...(stored ? { stored } : {}) };
  } catch (error) {
    if (error instanceof WorkloadUnreachableError) return { reached: false, why: error.message };
    throw error;
  } finally {
    await client.close();
  }
};

const writeProbe = async ({ objects, clock }: ProbeDependencies, cluster: Cluster, seen: Seen) => {
  const claim: ConditionClaim = seen.reached
    ? { type: 'RemoteConnectionProbe', status: 'True', reason: 'ProbeSucceeded' }
    : { type: 'RemoteConnectionProbe', status: 'False', reason: 'ProbeFailed', message: seen.why };
  const key = { namespace: cluster.metadata.namespace ?? '', name: cluster.metadata.name };
  await objects.mutate(kinds.cluster, key, (current) => ({
    ...current,
    status: {
      ...current.status,
      conditions: withConditions(current.status?.conditions, [claim], current.metadata.generation, clock.now()),
    } as Cluster['status'],
  }));
};

const writeControlPlane = async (
  { objects, clock }: ProbeDependencies,
  { cluster, controlPlane, distribution, machines }: ClusterSnapshot,
  seen: Seen,
) => {
  if (!controlPlane || !distribution || !seen.reached || !seen.initialized) return;
  const wasKnown = controlPlane.status?.initialization?.controlPlaneInitialized === true;
  // A cluster of which all machines are going already is not the one that will be.
  if (!wasKnown && !machines.some((machine) => isControlPlane(machine) && !machine.metadata.deletionTimestamp)) return;
  if (!wasKnown) await endInit(objects, cluster);
  const { claims } = seen;
  const key = { namespace: controlPlane.metadata.namespace ?? '', name: controlPlane.metadata.name };
  await objects.mutate(distribution.controlPlane, key, (current) => ({
    ...current,
    status: {
      ...current.status,
      initialization: { controlPlaneInitialized: true },
      ...(claims.length > 0
        ? { conditions: withConditions(current.status?.conditions, claims, current.metadata.generation, clock.now()) }
        : {}),
    } as ControlPlane['status'],
  }));
};

/** What the look says of one machine. A machine that never had a node is left to its own execution to report. */
const observe = async (
  deps: ProbeDependencies,
  snapshot: ClusterSnapshot,
  machine: Machine,
  seen: Seen,
): Promise<MachineObservation | undefined> => {
  const distribution = isControlPlane(machine) ? snapshot.distribution : undefined;
  if (!seen.reached) {
    if (!machine.status?.nodeRef) return undefined;
    const health = distribution ? { health: distribution.unknownHealth(seen.why) } : {};
    return { node: { seen: 'unreachable', why: seen.why }, ...health };
  }
  const node = findNode(seen.nodes, machine.spec.providerID);
  if (!node)
    return machine.status?.nodeRef ? { node: { seen: 'absent', providerId: machine.spec.providerID } } : undefined;
  const found: MachineObservation = { node: { seen: 'node', node } };
  if (!distribution) return found;
  const facts = await healthFacts(deps, snapshot, distribution, machine, node);
  return { ...found, health: distribution.health(node, seen.pods, facts) };
};

/** The configuration is read only where the health depends on it, which is not so for most nodes. */
const healthFacts = async (
  { objects }: ProbeDependencies,
  { controlPlane, infrastructureCluster }: ClusterSnapshot,
  { config, healthNeedsConfig }: Distribution,
  machine: Machine,
  node: V1Node,
): Promise<HealthFacts> => {
  const facts = { machine, controlPlane, initializer: readInitializer(infrastructureCluster) };
  const { configRef } = machine.spec.bootstrap;
  if (!configRef || !healthNeedsConfig?.(node, machine)) return facts;
  const namespace = machine.metadata.namespace ?? '';
  return { ...facts, config: await objects.get(config, { namespace, name: configRef.name }) };
};

const writeMachine = async (deps: ProbeDependencies, snapshot: ClusterSnapshot, machine: Machine, seen: Seen) => {
  const observation = await observe(deps, snapshot, machine, seen);
  if (!observation) return;
  const { objects, clock } = deps;
  const key = { namespace: machine.metadata.namespace ?? '', name: machine.metadata.name };
  await objects.mutate(kinds.machine, key, (current) => withObservation(current, observation, clock.now()));
};

/** Writes the end of a machine's certificates on its bootstrap configuration, from where the report takes it. */
const dateCertificates = async (
  { objects }: ProbeDependencies,
  { infrastructureMachines, distribution }: ClusterSnapshot,
  { metadata, spec }: Machine,
  seen: Seen,
) => {
  const facts = infrastructureMachines.get(metadata.name)?.facts;
  const name = spec.bootstrap.configRef?.name;
  if (!seen.reached || !seen.stored || !facts || !name || !distribution?.certificates) return;
  const { stored } = seen;
  const { expiry } = distribution.certificates;
  await objects.mutate(distribution.config, { namespace: metadata.namespace ?? '', name }, (config) => {
    const end = expiry({ config, decidedAt: facts.decidedAt, stored });
    return end && withCertificatesExpiry(config, end);
  });
};
