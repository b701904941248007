/** The conditions of a control plane that are derived from the health of its machines. */
import type { Cluster, Machine } from '../../kinds/index.ts';
import type { HealthConditions } from '../control-plane/distribution-rules.ts';
import type { Strays } from '../control-plane/strays.ts';
import { MEMBER } from '../control-plane/target-health.ts';
import { namesOf } from './aggregate.ts';
import { type ConditionClaim, findCondition, isTrue } from './conditions.ts';

/** How long a component must have been unhealthy before an available control plane reports it. */
const REPORTED_AFTER_MILLISECONDS = 10_000;

const NO_STRAYS: Strays = { members: [], nodes: [] };

interface Judged {
  name: string;
  status: ConditionClaim['status'];
  /** The conditions that are not True, one line each. */
  lines: readonly string[];
}

/** Undefined if the machine reports none of these conditions. */
const judge = ({ metadata: { name }, spec, status }: Machine, types: readonly string[]): Judged | undefined => {
  const found = types.flatMap((type) => findCondition(status?.conditions, type) ?? []);
  if (found.length === 0) return undefined;
  // It is expected that conditions are unknown before there is an instance.
  const open = found.filter(({ status: is }) => is !== 'True' && (is === 'False' || spec.providerID));
  if (open.length === 0) return { name, status: 'True', lines: [] };
  const texts = new Set(open.map(({ message }) => message));
  const isOne = found.length > 1 && open.length === found.length && texts.size === 1;
  const lines = isOne
    ? [`  * Control plane components: ${[...texts][0]}`]
    : open.map(({ type, message, status: is }) => `  * ${type}: ${message || `condition is ${is}`}`);
  return { name, status: open.some(({ status: is }) => is === 'False') ? 'False' : 'Unknown', lines };
};

/** Machines with the same report are named together; the report of most machines comes first. */
const messageOf = (judged: readonly Judged[]): string =>
  [...Map.groupBy(judged, ({ lines }) => lines.join('\n'))]
    .map(([text, machines]) => ({ text, names: machines.map(({ name }) => name).sort() }))
    .sort((a, b) => b.names.length - a.names.length || (a.names.join() < b.names.join() ? -1 : 1))
    .map(({ text, names }) => `* Machine${names.length > 1 ? 's' : ''} ${namesOf(names)}:\n${text}`)
    .join('\n');

interface Aggregation {
  /** The subject of the machines' reports. */
  note: string;
  types: readonly string[];
  /** Parts that do not belong to any machine. */
  strays: readonly string[];
}

/** Like upstream's aggregateConditionsFromMachinesToKCP. */
const healthClaim = (
  type: string,
  machines: readonly Machine[],
  { note, types, strays }: Aggregation,
): ConditionClaim => {
  const judged = machines.flatMap((machine) => judge(machine, types) ?? []);
  const open = judged.filter(({ status }) => status !== 'True');
  if (strays.length > 0 || open.some(({ status }) => status === 'False')) {
    const message = [messageOf(open), ...strays.map((line) => `* ${line}`)].filter(Boolean).join('\n');
    return { type, status: 'False', reason: 'NotHealthy', message };
  }
  if (open.length > 0) return { type, status: 'Unknown', reason: 'HealthUnknown', message: messageOf(open) };
  if (judged.length > 0) return { type, status: 'True', reason: 'Healthy' };
  return { type, status: 'Unknown', reason: 'HealthUnknown', message: `No Machines reporting ${note} status` };
};

/**
 * The requirements for inspecting a control plane (upstream's reconcile, and
 * reconcileControlPlaneAndMachinesConditions, of
 * controlplane/kubeadm/reconcilers/kubeadmcontrolplane/kubeadmcontrolplane_controller.go).
 */
export const whyNotInspected = (cluster: Cluster | undefined, initialized: boolean): string | undefined => {
  if (cluster && cluster.status?.initialization?.infrastructureProvisioned !== true)
    return 'Waiting for Cluster status.infrastructureReady to be true';
  if (cluster && !cluster.spec.controlPlaneEndpoint?.host)
    return 'Waiting for Cluster spec.controlPlaneEndpoint to be set';
  return initialized ? undefined : 'Waiting for Cluster control plane to be initialized';
};

/**
 * ControlPlaneComponentsHealthy, which includes etcd's pods, and EtcdClusterHealthy, unless etcd is external
 * (controlplane/kubeadm/pkg/workload_cluster_conditions.go). `message`: why nothing can be inspected yet.
 */
export const healthClaims = (
  machines: readonly Machine[],
  { components, etcd }: HealthConditions,
  message: string | undefined,
  strays: Strays = NO_STRAYS,
): ConditionClaim[] => {
  if (message) {
    const types = ['ControlPlaneComponentsHealthy', ...(etcd.length > 0 ? ['EtcdClusterHealthy'] : [])];
    return types.map((type) => ({ type, status: 'Unknown', reason: 'InspectionFailed', message }));
  }
  const pods = etcd.filter((type) => type !== MEMBER);
  return [
    healthClaim('ControlPlaneComponentsHealthy', machines, {
      note: 'control plane',
      types: [...components, ...pods],
      strays: strays.nodes,
    }),
    ...(etcd.length > 0
      ? [healthClaim('EtcdClusterHealthy', machines, { note: 'etcd member', types: [MEMBER], strays: strays.members })]
      : []),
  ];
};

const quorumOf = (members: number): number => Math.floor(members / 2) + 1;

interface Count {
  all: number;
  healthy: number;
  /** The number that have been unhealthy for so short a time that it is not reported yet. */
  tolerated: number;
}

const count = (machines: readonly Machine[], types: readonly string[], now: Date): Count => {
  const bad = machines.flatMap(({ status }) => {
    const open = types.filter((type) => !isTrue(status?.conditions, type));
    if (open.length === 0) return [];
    const since = open.flatMap((type) => findCondition(status?.conditions, type)?.lastTransitionTime ?? []).sort()[0];
    return [since !== undefined && now.getTime() - Date.parse(since) > REPORTED_AFTER_MILLISECONDS];
  });
  return {
    all: machines.length,
    healthy: machines.length - bad.length,
    tolerated: bad.filter((isReported) => !isReported).length,
  };
};

const membersLine = (healthy: number, all: number): string => {
  const least = `at least ${quorumOf(all)} healthy member required for etcd quorum`;
  if (healthy === 0) return `* There are no healthy etcd member, ${least}`;
  return `* ${healthy} of ${all} etcd members ${healthy === 1 ? 'is' : 'are'} healthy, ${least}`;
};

const machinesLine = (healthy: number, all: number): string =>
  healthy === 0
    ? '* There are no Machines with healthy control plane components, at least 1 required'
    : `* ${healthy} of ${all} Machines ${healthy === 1 ? 'has' : 'have'} healthy control plane components, at least 1 required`;

/** What an available control plane lacks, except what is not reported yet. */
const partialLines = (members: Count, serving: Count, total: number): string[] => {
  const lacks = ({ all, healthy, tolerated }: Count) => all - healthy - tolerated > 0;
  return [
    ...(lacks(members) ? [membersLine(members.healthy + members.tolerated, members.all)] : []),
    ...(lacks(serving) ? [machinesLine(serving.healthy + serving.tolerated, total)] : []),
  ];
};

const MISMATCH = 'The list of etcd members does not match the list of Machines and Nodes';

interface Availability {
  isDeleting: boolean;
  hasCertificates: boolean;
  strays?: Strays;
  now: Date;
}

/**
 * Available for an initialized control plane: etcd has a quorum, and one machine has all components, including a member
 * of etcd (upstream's setAvailableCondition, kubeadmcontrolplane/status.go). The number of members is the number of
 * machines that are nodes.
 */
export const formedAvailableClaim = (
  machines: readonly Machine[],
  { components, etcd }: HealthConditions,
  { isDeleting, hasCertificates, strays = NO_STRAYS, now }: Availability,
): ConditionClaim => {
  const type = 'Available';
  if (strays.members.length > 0 && machines.every(({ status }) => status?.nodeRef)) {
    return { type, status: 'False', reason: 'NotAvailable', message: MISMATCH };
  }
  const joined = etcd.length > 0 ? machines.filter(({ status }) => status?.nodeRef) : [];
  const members = count(joined, [MEMBER], now);
  const serving = count(
    machines.filter(({ spec }) => spec.providerID),
    [...components, ...etcd],
    now,
  );
  const hasQuorum = etcd.length === 0 || members.healthy >= quorumOf(members.all);
  if (!isDeleting && hasCertificates && hasQuorum && serving.healthy > 0) {
    const message = partialLines(members, serving, machines.length).join('\n');
    return { type, status: 'True', reason: 'Available', ...(message ? { message } : {}) };
  }
  const lines = [
    ...(isDeleting ? ['* Control plane metadata.deletionTimestamp is set'] : []),
    ...(hasCertificates ? [] : ['* Control plane certificates are not available']),
    ...(hasQuorum ? [] : [membersLine(members.healthy, members.all)]),
    ...(serving.healthy > 0 ? [] : [machinesLine(0, machines.length)]),
  ];
  return { type, status: 'False', reason: 'NotAvailable', message: lines.join('\n') };
};
