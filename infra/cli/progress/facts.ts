/** Facts about a cluster that is being created: one for each step and machine, in the order of the tree. */
import type { LegacyCondition, Machine } from '../../../shared/kinds/index.ts';
import type { Condition } from '../../../shared/kube-api/object.ts';
import { isControlPlaneMachine, LABEL } from '../../../shared/plan/labels.ts';
import type { ClusterSnapshot } from './snapshot.ts';

/** The part of the tree to which a fact belongs. */
export type Owner = 'cluster' | 'infrastructure' | 'controlPlane' | `deployment/${string}` | `pool/${string}`;

export interface Fact {
  /** Identifies the same step or machine in every snapshot. */
  key: string;
  owner: Owner;
  /** `AWSCluster quickstart`, `Machine quickstart-cp-abcde`. */
  subject: string;
  /** The step of the subject; empty for a machine or a cluster itself. */
  step: string;
  /** A phase, or `waiting`, `ready`. */
  state: string;
  done: boolean;
  /** The progress, from 0 to 1. */
  share: number;
  /** The result: an id or an address. */
  detail: string;
  /** The reason why it is not done, from a condition; empty if there is none. */
  why: string;
  /** Whether only a user can help. */
  failed: boolean;
}

type AnyCondition = Pick<Condition, 'type' | 'status'> & Partial<LegacyCondition>;

/** The first line of a message; if that is only the heading of a list, together with the first entry. */
const firstWords = (message: string): string => {
  const [first = '', second = ''] = message.split('\n').map((line) => line.trim().replace(/^\* /, ''));
  return first.endsWith(':') && second ? `${first} ${second}` : first;
};

const wordsOf = ({ reason, message }: AnyCondition): string =>
  message?.trim() ? firstWords(message.trim()) : (reason ?? '');

const conditionsOf = (object: { status?: { conditions?: unknown } } | undefined): AnyCondition[] =>
  (object?.status?.conditions ?? []) as AnyCondition[];

const isTrue = (object: { status?: { conditions?: unknown } } | undefined, type: string): boolean =>
  conditionsOf(object).some((condition) => condition.type === type && condition.status === 'True');

/** Of the existing conditions that are not True, one that is an error, or else the first. */
const worstOf = (conditions: readonly AnyCondition[], types: readonly string[]): AnyCondition | undefined => {
  const bad = types.flatMap((type) => conditions.filter((one) => one.type === type && one.status !== 'True'));
  return bad.find(({ severity }) => severity === 'Error') ?? bad[0];
};

const step = (
  snapshot: ClusterSnapshot,
  options: Pick<Fact, 'key' | 'owner' | 'subject' | 'step' | 'detail'> & { conditions: readonly string[] },
): Fact => {
  const { conditions: types, ...fact } = options;
  const object = options.owner === 'infrastructure' ? snapshot.infrastructure : snapshot.controlPlane;
  const conditions = conditionsOf(object);
  const done = types.every((type) => isTrue(object, type));
  const bad = worstOf(conditions, types);
  const why = done || bad === undefined ? '' : wordsOf(bad);
  const state = done ? 'ready' : 'waiting';
  return { ...fact, state, done, share: done ? 1 : 0, why, failed: !done && bad?.severity === 'Error' };
};

const NETWORK = ['VpcReady', 'SubnetsReady', 'InternetGatewayReady', 'RouteTablesReady', 'ClusterSecurityGroupsReady'];

const endpointOf = ({ cluster }: ClusterSnapshot): string => {
  const { host, port } = cluster?.spec.controlPlaneEndpoint ?? {};
  return host ? `${host}:${port}` : '';
};

const infrastructureSteps = (snapshot: ClusterSnapshot): Fact[] => {
  const { infrastructure } = snapshot;
  if (infrastructure === undefined) return [];
  const { vpc, subnets = [] } = infrastructure.spec.network ?? {};
  const gateways = new Set(subnets.map(({ natGatewayId }) => natGatewayId).filter(Boolean)).size;
  const base = { owner: 'infrastructure', subject: `AWSCluster ${infrastructure.metadata.name}` } as const;
  const nat = gateways > 0 ? `${gateways} ${gateways === 1 ? 'zone' : 'zones'}` : '';
  return [
    step(snapshot, { ...base, key: 'network', step: 'network', detail: vpc?.id ?? '', conditions: NETWORK }),
    step(snapshot, { ...base, key: 'nat', step: 'NAT gateways', detail: nat, conditions: ['NatGatewaysReady'] }),
    step(snapshot, {
      ...base,
      key: 'loadBalancer',
      step: 'load balancer',
      detail: endpointOf(snapshot),
      conditions: ['LoadBalancerReady'],
    }),
  ];
};

const controlPlaneSteps = (snapshot: ClusterSnapshot): Fact[] => {
  const { controlPlane } = snapshot;
  if (controlPlane === undefined) return [];
  const subject = `${controlPlane.kind} ${controlPlane.metadata.name}`;
  const base = { owner: 'controlPlane', subject, detail: '' } as const;
  const version = controlPlane.status?.version ?? '';
  return [
    step(snapshot, { ...base, key: 'certificates', step: 'certificates', conditions: ['CertificatesAvailable'] }),
    step(snapshot, { ...base, key: 'apiServer', step: 'API server', detail: version, conditions: ['Initialized'] }),
  ];
};

/** The progress of a machine in each phase; `Running` is the end. */
const PHASES: Readonly<Record<string, number>> = { Pending: 0.1, Provisioning: 0.3, Provisioned: 0.6, Running: 1 };

const MACHINE_CONDITIONS = ['BootstrapConfigReady', 'InfrastructureReady', 'NodeHealthy'];

const ownerOf = (machine: Machine): Owner => {
  const { labels = {} } = machine.metadata;
  if (isControlPlaneMachine(machine)) return 'controlPlane';
  const pool = labels[LABEL.poolName];
  return pool === undefined ? `deployment/${labels[LABEL.deploymentName] ?? ''}` : `pool/${pool}`;
};

const machineFact = (machine: Machine): Fact => {
  const { metadata, spec, status } = machine;
  const state = status?.phase ?? 'Pending';
  const done = state === 'Running';
  const bad = done ? undefined : worstOf(conditionsOf(machine), MACHINE_CONDITIONS);
  const instance = spec.providerID?.split('/').at(-1) ?? '';
  return {
    key: `machine/${metadata.name}`,
    owner: ownerOf(machine),
    subject: `Machine ${metadata.name}`,
    step: '',
    state,
    done,
    share: PHASES[state] ?? 0,
    detail: [instance, status?.failureDomain ?? ''].filter(Boolean).join(' '),
    why: bad === undefined ? '' : wordsOf(bad),
    failed: state === 'Failed',
  };
};

const CLUSTER_CONDITIONS = [
  'InfrastructureReady',
  'ControlPlaneAvailable',
  'WorkersAvailable',
  'RemoteConnectionProbe',
];

const clusterFact = (snapshot: ClusterSnapshot): Fact => {
  const { cluster, name } = snapshot;
  const done = isTrue(cluster, 'Available');
  const bad = done ? undefined : worstOf(conditionsOf(cluster), CLUSTER_CONDITIONS);
  return {
    key: 'cluster',
    owner: 'cluster',
    subject: `Cluster ${name}`,
    step: '',
    state: cluster === undefined ? 'gone' : done ? 'Available' : (cluster.status?.phase ?? 'Pending'),
    done,
    share: done ? 1 : 0,
    detail: endpointOf(snapshot),
    why: bad === undefined ? '' : wordsOf(bad),
    failed: false,
  };
};

/** All facts of a snapshot. */
export const factsOf = (snapshot: ClusterSnapshot): Fact[] => [
  clusterFact(snapshot),
  ...infrastructureSteps(snapshot),
  ...controlPlaneSteps(snapshot),
  ...snapshot.machines.map(machineFact),
];
