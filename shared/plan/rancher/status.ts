import type {
  Cluster,
  Host,
  Machine,
  MachineDeployment,
  RancherCluster,
  RancherCondition,
  RKE2ControlPlane,
} from '../../kinds/index.ts';
import { formatTime } from '../../kube-api/object.ts';
import { isControlPlaneMachine } from '../labels.ts';
import { type ConditionClaim, findCondition, isTrue } from '../status/conditions.ts';
import { countUpdating } from '../status/counts.ts';
import { machineOn, type Standing } from './changes.ts';
import type { RancherConfig, RancherNode } from './config.ts';
import { hostNameOf } from './names.ts';
import type { Problem } from './problem.ts';

/** The number of problems that are reported together; the others are reported when these are solved. */
const MOST_PROBLEMS = 5;

/** `spec.config: nodes[0].role: …`, one problem per line. */
export const describeProblems = (problems: readonly Problem[]): string => {
  const lines = problems.map(({ field, message }) => `spec.config: ${field === '' ? '' : `${field}: `}${message}`);
  const left = lines.length - MOST_PROBLEMS;
  return [...lines.slice(0, MOST_PROBLEMS), ...(left > 0 ? [`and ${left} more`] : [])].join('\n');
};

/** The claim that nothing can be done until a user has corrected something. */
export const notProvisioned = (reason: string, message: string): ConditionClaim => ({
  type: 'Provisioned',
  status: 'False',
  reason,
  message,
});

export interface RancherView extends Standing {
  config: RancherConfig;
  /** The Cluster of Cluster API; undefined if there is none yet. */
  made: Cluster | undefined;
}

const hostOf = ({ hosts }: RancherView, { address }: RancherNode): Host | undefined =>
  hosts.find(({ metadata }) => metadata.name === hostNameOf(address));

const unusable = (view: RancherView): Problem[] =>
  view.config.nodes.flatMap((node) => {
    const { conditions = [] } = hostOf(view, node)?.status ?? {};
    const found = conditions.find(({ type, status }) => type === 'Reachable' && status === 'False');
    const words = [node.address, found?.reason, found?.message].filter(Boolean).join(': ');
    return found ? [{ field: `${node.field}.address`, message: words }] : [];
  });

const nodeMachine = (view: RancherView, node: RancherNode): Machine | undefined => {
  const host = hostOf(view, node);
  const machine = host && machineOn(host, view.machines);
  return machine && isControlPlaneMachine(machine) === node.isControlPlane ? machine : undefined;
};

const isRunning = (machine: Machine | undefined): boolean => machine?.status?.phase === 'Running';

/** What the machine of a node waits for, as far as the host shows it. */
const waiting = (view: RancherView): Problem[] =>
  view.config.nodes.flatMap((node) => {
    const machine = nodeMachine(view, node);
    const found = findCondition(machine?.status?.conditions, 'InfrastructureReady');
    return found?.status === 'False' && found.message ? [{ field: node.field, message: found.message }] : [];
  });

/** Whether all machines of an owner match its current spec. Its status may still be about the previous one. */
const isRolledOut = (owner: RKE2ControlPlane | MachineDeployment | undefined, machines: readonly Machine[]): boolean =>
  owner?.status?.observedGeneration === owner?.metadata.generation &&
  (owner?.status?.upToDateReplicas ?? 0) + countUpdating(machines) === (owner?.spec.replicas ?? 0);

/** Whether all nodes of the configuration run as specified, and no others do. */
export const provisionedClaim = (view: RancherView): ConditionClaim => {
  const { config, machines, made } = view;
  const running = config.nodes.filter((node) => isRunning(nodeMachine(view, node))).length;
  const bad = unusable(view);
  if (bad.length > 0) return notProvisioned('HostUnusable', describeProblems(bad));
  const surplus = machines.length - config.nodes.length;
  const isWhole = running === config.nodes.length && surplus === 0;
  const workers = machines.filter((machine) => !isControlPlaneMachine(machine));
  const isCurrent =
    isRolledOut(view.controlPlane, machines.filter(isControlPlaneMachine)) && isRolledOut(view.deployment, workers);
  if (isWhole && isCurrent && isTrue(made?.status?.conditions, 'Available'))
    return { type: 'Provisioned', status: 'True', reason: 'Provisioned' };
  const counts = `${running} of ${config.nodes.length} nodes run`;
  const available = findCondition(made?.status?.conditions, 'Available');
  const words = [
    surplus > 0 ? `${counts}, and ${surplus} more than desired exist` : counts,
    isWhole && !isCurrent ? 'Machines with earlier settings are to be replaced' : '',
    describeProblems(waiting(view)),
    isWhole && available?.message ? available.message : '',
  ];
  return notProvisioned('Provisioning', words.filter((text) => text !== '').join('\n'));
};

/** Conditions of the created Cluster that are True as long as its API server can be used. */
const OF_THE_API = ['ControlPlaneAvailable', 'RemoteConnectionProbe'];

export const readyClaim = (made: Cluster | undefined): ConditionClaim => {
  const found = OF_THE_API.map((type) => findCondition(made?.status?.conditions, type));
  const bad = found.find((condition) => condition?.status !== 'True');
  if (made && found.every((condition) => condition?.status === 'True'))
    return { type: 'Ready', status: 'True', reason: 'Ready' };
  const message = bad?.message || 'The control plane does not exist yet';
  return { type: 'Ready', status: 'False', reason: 'NotReady', message };
};

const conditionAfter = (
  before: RancherCondition | undefined,
  { type, status, reason, message = '' }: ConditionClaim,
  generation: number | undefined,
  now: string,
): RancherCondition => {
  const isSame = before?.status === status && before.reason === reason && before.message === message;
  return {
    type,
    status,
    reason,
    message,
    lastTransitionTime: before?.status === status ? before.lastTransitionTime : now,
    lastUpdateTime: isSame ? (before?.lastUpdateTime ?? now) : now,
    ...(generation === undefined ? {} : { observedGeneration: generation }),
  };
};

/** The Cluster with these conditions. If it is provisioned, its configuration is recorded as the applied one. */
export const withClaims = (cluster: RancherCluster, claims: readonly ConditionClaim[], now: Date): RancherCluster => {
  const { metadata, spec, status = {} } = cluster;
  const { generation } = metadata;
  const said = new Map((status.conditions ?? []).map((condition) => [condition.type, condition]));
  for (const claim of claims)
    said.set(claim.type, conditionAfter(said.get(claim.type), claim, generation, formatTime(now)));
  const isApplied = claims.some(({ type, status: holds }) => type === 'Provisioned' && holds === 'True');
  return {
    ...cluster,
    status: {
      ...status,
      ...(generation === undefined ? {} : { observedGeneration: generation }),
      ...(isApplied ? { appliedConfig: spec.config } : {}),
      conditions: [...said.values()],
    },
  };
};
