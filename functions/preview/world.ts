import { distributionOf } from '../../shared/distributions/registry.ts';
import type { BootstrapConfig, ControlPlane } from '../../shared/kinds/contract-objects.ts';
import type { Machine } from '../../shared/kinds/index.ts';
import type { InfrastructureMachine, InfrastructureMachineTemplate } from '../../shared/kinds/infrastructure.ts';
import type { Reference } from '../../shared/kinds/reference.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import { viewOf } from '../../shared/outside/view.ts';
import { JOIN_CONFIGURATION, joinConfigurationClaim } from '../../shared/plan/control-plane/upgrade-tasks.ts';
import { findCondition, withConditions } from '../../shared/plan/status/conditions.ts';
import { controlPlaneStatus } from '../../shared/plan/status/control-plane.ts';
import { desiredInfrastructureMachine } from '../../shared/providers/clone.ts';
import type { Infrastructure } from '../../shared/providers/infrastructure.ts';
import { infrastructureOf, provided } from '../../shared/providers/registry.ts';
import { readConfigs } from '../cluster/objects/control-plane/up-to-date.ts';
import { type PoolObjects, readPools } from '../cluster/pools.ts';
import { type ClusterSnapshot, controlPlaneMachines, readCluster } from '../cluster/snapshot.ts';
import type { Allowance } from './allowance.ts';
import type { Reads } from './reads.ts';

/** A simulated cluster: the planners' actions are applied only here. */
export interface World {
  snapshot: ClusterSnapshot;
  /** Bootstrap configurations by machine name. */
  configs: ReadonlyMap<string, BootstrapConfig>;
  /** Templates that exist, by kind and name. */
  templates: ReadonlyMap<string, KubeObject>;
  /** A control plane of an external provider. The planners do not change it, but workers depend on its version. */
  outsideControlPlane: ControlPlane | null;
  /** The MachinePools. The planners of machines do not change their groups. */
  pools: PoolObjects[];
  /** Uids of owners that do not exist yet: names derived from them will differ in reality. */
  unborn: ReadonlySet<string>;
  /** Names of machines that were deleted in the plan. They are not used again (shared/plan/memory/used-places.ts). */
  used: ReadonlySet<string>;
  /** The quotas of the namespace. */
  allowance: Allowance;
  now: Date;
}

export const templateKey = (kind: string, name: string): string => `${kind}/${name}`;

const referencesOf = ({ controlPlane, deployments, sets }: ClusterSnapshot) => {
  const specs = [...deployments, ...sets].map(({ spec }) => spec.template.spec);
  const machines = [
    ...specs.map(({ infrastructureRef }) => infrastructureRef),
    ...(controlPlane ? [controlPlane.spec.machineTemplate.spec.infrastructureRef] : []),
  ];
  const configs = specs.flatMap(({ bootstrap: { configRef } }) => (configRef ? [configRef] : []));
  return { machines, configs };
};

const readTemplates = async (reads: Reads, snapshot: ClusterSnapshot): Promise<Map<string, KubeObject>> => {
  const { namespace = '' } = snapshot.cluster.metadata;
  const { machines, configs } = referencesOf(snapshot);
  const wanted = [
    ...machines.flatMap((ref) => {
      const resource = infrastructureOf('machineTemplate', ref)?.machineTemplate;
      return resource ? [{ resource, name: ref.name }] : [];
    }),
    ...configs.flatMap((ref) => {
      const resource = distributionOf('configTemplate', ref)?.configTemplate;
      return resource ? [{ resource, name: ref.name }] : [];
    }),
  ];
  const unique = new Map(wanted.map((one) => [templateKey(one.resource.kind, one.name), one]));
  const found = await Promise.all(
    [...unique].map(
      async ([key, { resource, name }]): Promise<[string, KubeObject | undefined]> => [
        key,
        await reads.get<KubeObject>(resource, { namespace, name }),
      ],
    ),
  );
  return new Map(found.filter((entry): entry is [string, KubeObject] => entry[1] !== undefined));
};

/** A cluster as read; undefined if there is no such Cluster. */
export const readWorld = async (
  reads: Reads,
  cluster: KubeObject,
  { unborn, allowance, now }: Pick<World, 'unborn' | 'allowance' | 'now'>,
): Promise<World | undefined> => {
  const { namespace = '', name, uid = '' } = cluster.metadata;
  const read = await readCluster(reads, { namespace, name, uid });
  if (!read) return undefined;
  // Windlass cannot know what an external control plane will do.
  const outsideControlPlane = read.distribution?.isOutside ? read.controlPlane : null;
  const snapshot = outsideControlPlane ? { ...read, controlPlane: null, distribution: undefined } : read;
  const [configs, templates, pools] = await Promise.all([
    readConfigs({ objects: reads }, snapshot),
    readTemplates(reads, snapshot),
    readPools(reads, snapshot),
  ]);
  return { snapshot, configs, templates, outsideControlPlane, pools, unborn, used: new Set(), allowance, now };
};

/** A machine template with its provider; undefined if it does not exist, or no provider serves its kind. */
export interface ProvidedTemplate {
  provider: Infrastructure;
  object: InfrastructureMachineTemplate;
}

export const machineTemplate = ({ templates }: World, reference: Reference): ProvidedTemplate | undefined => {
  const provider = infrastructureOf('machineTemplate', reference);
  const object = provider && templates.get(templateKey(provider.machineTemplate.kind, reference.name ?? ''));
  return object && { provider, object: object as InfrastructureMachineTemplate };
};

/** The infrastructure of a snapshot's machines and of new ones. */
export const withClones = (
  { infrastructureMachines }: ClusterSnapshot,
  made: readonly Machine[],
  template: ProvidedTemplate | undefined,
): ClusterSnapshot['infrastructureMachines'] => {
  if (!template) return infrastructureMachines;
  const { provider, object } = template;
  const cloneOf = (machine: Machine): InfrastructureMachine => {
    const clone = desiredInfrastructureMachine(provider, machine, object);
    return provider.isOutside ? (viewOf('machine', clone, 'v1beta2') as InfrastructureMachine) : clone;
  };
  const clones = made.map((machine) => [machine.metadata.name, provided(provider, cloneOf(machine))] as const);
  return new Map([...infrastructureMachines, ...clones]);
};

const owned = new WeakMap<readonly Machine[], ReadonlyMap<string, Machine[]>>();

/** The machines that an owner controls; ownership is computed once for each simulated state. */
export const machinesOwnedBy = ({ snapshot: { machines } }: World, { metadata }: KubeObject): readonly Machine[] => {
  const byOwner = owned.get(machines) ?? Map.groupBy(machines, controllerOf);
  owned.set(machines, byOwner);
  return byOwner.get(metadata.uid ?? '') ?? [];
};

const controllerOf = ({ metadata }: Machine): string =>
  metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid ?? '';

const NODE_CONDITIONS = [
  'Available',
  'Ready',
  'NodeHealthy',
  'NodeReady',
  'BootstrapConfigReady',
  'InfrastructureReady',
];

/** A machine that has come up, with all fields that its owners evaluate. */
const joined = (machine: Machine, gates: readonly string[], now: Date): Machine => {
  const condition = (type: string) => ({
    type,
    status: 'True' as const,
    reason: 'Planned',
    message: '',
    lastTransitionTime: now.toISOString(),
  });
  const types = [...new Set([...NODE_CONDITIONS, ...gates])];
  const others = (machine.status?.conditions ?? []).filter(({ type }) => !types.includes(type));
  const conditions = [...others, ...types.map(condition)];
  return { ...machine, status: { ...machine.status, nodeRef: { name: machine.metadata.name }, conditions } };
};

/** Whether a machine will come up by itself: it has no node so far, and nothing has refused it. */
const isComing = ({ status, metadata }: Machine, { infrastructureMachines }: ClusterSnapshot): boolean => {
  const facts = infrastructureMachines.get(metadata.name)?.facts;
  return !status?.nodeRef && !facts?.failed && !facts?.gone;
};

/**
 * The world after all pending changes: deleted machines are gone, new ones exist and are healthy. An unhealthy machine
 * stays unhealthy, because its recovery cannot be predicted.
 */
export const settled = (world: World): World => {
  const { snapshot, now } = world;
  const { controlPlane, distribution } = snapshot;
  const health = controlPlane && distribution?.healthConditions(controlPlane);
  const gates = health ? [...health.components, ...health.etcd] : [];
  const [left, gone] = partition(snapshot.machines, ({ metadata }) => metadata.deletionTimestamp === undefined);
  const machines = left.map((machine) => (isComing(machine, snapshot) ? joined(machine, gates, now) : machine));
  const next = { ...snapshot, machines };
  return { ...world, used: withNames(world, gone), snapshot: { ...next, controlPlane: withStatus(next, now) } };
};

const partition = <T>(all: readonly T[], holds: (one: T) => boolean): [T[], T[]] => [
  all.filter(holds),
  all.filter((one) => !holds(one)),
];

/** Used names are recorded in the infrastructure of the cluster; without it, names are used again. */
const withNames = ({ used, snapshot }: World, gone: readonly Machine[]): World['used'] =>
  gone.length === 0 || !snapshot.infrastructureCluster
    ? used
    : new Set([...used, ...gone.map(({ metadata }) => metadata.name)]);

/** A control plane reports the state of its machines, so that workers know when it is upgraded. */
const withStatus = (snapshot: ClusterSnapshot, now: Date): ClusterSnapshot['controlPlane'] => {
  const { controlPlane, distribution } = snapshot;
  if (!controlPlane || !distribution) return controlPlane;
  const machines = controlPlaneMachines(snapshot);
  const initialized =
    controlPlane.status?.initialization?.controlPlaneInitialized === true ||
    machines.some(({ status }) => status?.nodeRef !== undefined);
  const facts = { machines, initialized, workersLeft: 0, health: distribution.healthConditions(controlPlane) };
  const common = { ...controlPlane.status, ...controlPlaneStatus(controlPlane, facts, now) };
  const status = distribution.status(controlPlane, common, { cluster: snapshot.cluster, machines });
  const kept = { ...controlPlane, status };
  return distribution.upgradeTasks && initialized ? joinable(kept, now) : kept;
};

/** The join configuration is updated before machines are replaced; if that failed, it may not work. */
const joinable = (controlPlane: ControlPlane, now: Date): ControlPlane => {
  const { conditions } = controlPlane.status ?? {};
  if (findCondition(conditions, JOIN_CONFIGURATION)?.status === 'False') return controlPlane;
  const claims = [joinConfigurationClaim(controlPlane)];
  const generation = controlPlane.metadata.generation;
  return {
    ...controlPlane,
    status: { ...controlPlane.status, conditions: withConditions(conditions, claims, generation, now) },
  };
};
