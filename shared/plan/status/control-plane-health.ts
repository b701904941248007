/** The conditions of a control plane that follow from the health of its machines. */
import type { Machine } from '../../kinds/index.ts';
import type { HealthConditions } from '../control-plane/distribution-rules.ts';
import { MEMBER } from '../control-plane/target-health.ts';
import { namesOf } from './aggregate.ts';
import { type ConditionClaim, findCondition, isTrue } from './conditions.ts';

/** How long a component must have been unhealthy before a control plane that is available reports it. */
const REPORTED_AFTER_MILLISECONDS = 10_000;

interface Judged {
  name: string;
  status: ConditionClaim['status'];
  /** What is not True, one line each. */
  lines: readonly string[];
}

/** Undefined if the machine reports none of these conditions. */
const judge = ({ metadata: { name }, spec, status }: Machine, types: readonly string[]): Judged | undefined => {
  const found = types.flatMap((type) => findCondition(status?.conditions, type) ?? []);
  if (found.length === 0) return undefined;
  // What is unknown before there is an instance is no news.
  const open = found.filter(({ status: is }) => is !== 'True' && (is === 'False' || spec.providerID));
  if (open.length === 0) return { name, status: 'True', lines: [] };
  const texts = new Set(open.map(({ message }) => message));
  const isOne = found.length > 1 && open.length === found.length && texts.size === 1;
  const lines = isOne
    ? [`  * Control plane components: ${[...texts][0]}`]
    : open.map(({ type, message, status: is }) => `  * ${type}: ${message || `condition is ${is}`}`);
  return { name, status: open.some(({ status: is }) => is === 'False') ? 'False' : 'Unknown', lines };
};

/** Machines that report the same are named together; what most of them report comes first. */
const messageOf = (judged: readonly Judged[]): string =>
  [...Map.groupBy(judged, ({ lines }) => lines.join('\n'))]
    .map(([text, machines]) => ({ text, names: machines.map(({ name }) => name).sort() }))
    .sort((a, b) => b.names.length - a.names.length || (a.names.join() < b.names.join() ? -1 : 1))
    .map(({ text, names }) => `* Machine${names.length > 1 ? 's' : ''} ${namesOf(names)}:\n${text}`)
    .join('\n');

/** Upstream's aggregateConditionsFromMachinesToKCP. `note`: what the machines report about. */
const healthClaim = (
  type: string,
  note: string,
  machines: readonly Machine[],
  types: readonly string[],
): ConditionClaim => {
  const judged = machines.flatMap((machine) => judge(machine, types) ?? []);
  const open = judged.filter(({ status }) => status !== 'True');
  if (open.some(({ status }) => status === 'False'))
    return { type, status: 'False', reason: 'NotHealthy', message: messageOf(open) };
  if (open.length > 0) return { type, status: 'Unknown', reason: 'HealthUnknown', message: messageOf(open) };
  if (judged.length > 0) return { type, status: 'True', reason: 'Healthy' };
  return { type, status: 'Unknown', reason: 'HealthUnknown', message: `No Machines reporting ${note} status` };
};

/**
 * ControlPlaneComponentsHealthy, which includes etcd's pods, and EtcdClusterHealthy, unless etcd is external
 * (controlplane/kubeadm/pkg/workload_cluster_conditions.go).
 */
export const healthClaims = (
  machines: readonly Machine[],
  { components, etcd }: HealthConditions,
): ConditionClaim[] => {
  const pods = etcd.filter((type) => type !== MEMBER);
  return [
    healthClaim('ControlPlaneComponentsHealthy', 'control plane', machines, [...components, ...pods]),
    ...(etcd.length > 0 ? [healthClaim('EtcdClusterHealthy', 'etcd member', machines, [MEMBER])] : []),
  ];
};

const quorumOf = (members: number): number => Math.floor(members / 2) + 1;

interface Count {
  all: number;
  healthy: number;
  /** Those that are unhealthy for so short a time that it is not reported yet. */
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

/** What an available control plane lacks, except for what is not reported yet. */
const partialLines = (members: Count, serving: Count, total: number): string[] => {
  const lacks = ({ all, healthy, tolerated }: Count) => all - healthy - tolerated > 0;
  return [
    ...(lacks(members) ? [membersLine(members.healthy + members.tolerated, members.all)] : []),
    ...(lacks(serving) ? [machinesLine(serving.healthy + serving.tolerated, total)] : []),
  ];
};

/**
 * Available of a control plane that is initialized: etcd has a quorum, and one machine has all components, including a
 * member of etcd (upstream's setAvailableCondition, kubeadmcontrolplane/status.go). Members are counted by the machines
 * that are nodes.
 */
export const formedAvailableClaim = (
  machines: readonly Machine[],
  { components, etcd }: HealthConditions,
  { isDeleting, hasCertificates, now }: { isDeleting: boolean; hasCertificates: boolean; now: Date },
): ConditionClaim => {
  const type = 'Available';
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
