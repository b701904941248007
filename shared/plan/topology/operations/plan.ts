import { isDeepStrictEqual } from 'node:util';
import type { Cluster } from '../../../kinds/cluster/schema.ts';
import { desiredTopology } from '../desired/desired-topology.ts';
import type { DesiredObjects } from '../desired/objects.ts';
import { wrapping } from '../error.ts';
import { callAfterHooks } from '../hooks/after.ts';
import { type HookSession, withoutExtensions } from '../hooks/session.ts';
import type { AnyObject, Blueprint } from '../objects.ts';
import type { TopologyProgress } from '../upgrade/condition.ts';
import { applyObject, applyReferenced, event, type Facts, placeOf } from './apply.ts';
import { controlPlaneOperations } from './control-plane.ts';
import { deletedHealthChecks, referredTo, resultsOf, unusedTemplates } from './leftovers.ts';
import {
  type ApplyObject,
  keyOf,
  keyOfObject,
  type LiveTopology,
  type ReferToObjects,
  type TopologyOperation,
} from './model.ts';
import { deletedWorkers, deploymentOperations, poolOperations, type WorkersOperations } from './workers.ts';

const list = <T>(operation: T | undefined): T[] => (operation ? [operation] : []);

const any = (object: unknown): AnyObject => object as AnyObject;

/** The Cluster with its labels, references and the step of its upgrade (reconcileCluster). */
const referring = (from: Cluster, cluster: Cluster): ReferToObjects | undefined => {
  const view = ({ metadata: { labels = {}, annotations = {} }, spec }: Cluster) => [
    { ...labels },
    { ...annotations },
    spec.infrastructureRef,
    spec.controlPlaneRef,
  ];
  if (isDeepStrictEqual(view(from), view(cluster))) return undefined;
  return { do: 'refer', from, cluster, event: event('TopologyUpdate', `Updated Cluster ${placeOf(any(from))}`) };
};

/** Health checks are changed whatever an upgrade waits for, but a group that does not exist has none. */
const healthChecks = (
  facts: Facts,
  { controlPlaneHealthCheck, machineDeployments }: DesiredObjects,
  progress: TopologyProgress,
) => {
  const { pendingCreate } = progress.machineDeployments;
  const checks = [
    ...list(controlPlaneHealthCheck),
    ...machineDeployments.flatMap(({ topologyName, healthCheck }) =>
      healthCheck && !pendingCreate.has(topologyName) ? [healthCheck] : [],
    ),
  ];
  return checks.flatMap((check) => list(applyObject(facts, any(check), { on: 'object' })));
};

const workers = (facts: Facts, desired: DesiredObjects, progress: TopologyProgress): WorkersOperations[] => [
  ...desired.machineDeployments.map((it) => deploymentOperations(facts, it, progress.machineDeployments)),
  ...desired.machinePools.map((it) => poolOperations(facts, it, progress.machinePools)),
];

/** Everything that refers to templates, in its state after the operations. */
const referrers = (
  { cluster, controlPlane, machineDeployments }: LiveTopology,
  applied: readonly ApplyObject[],
): unknown[] => {
  const changed = new Set(applied.map(({ result }) => keyOfObject(result)));
  const groups = [...machineDeployments.values()].map(({ object }) => any(object));
  const left = [...list(controlPlane), ...groups].filter((object) => !changed.has(keyOfObject(object)));
  return [...left, ...resultsOf(applied)].map(({ spec }) => spec ?? cluster.spec);
};

const infrastructureOf = ({ cluster: { spec }, objects }: LiveTopology): AnyObject | undefined =>
  spec.infrastructureRef && objects.get(keyOf(spec.infrastructureRef.kind, spec.infrastructureRef.name));

const stagesOf = (
  facts: Facts,
  blueprint: Blueprint,
  desired: DesiredObjects,
  progress: TopologyProgress,
): TopologyOperation[][] => {
  const { live } = facts;
  const infrastructure = list(applyReferenced(facts, infrastructureOf(live), desired.infrastructureCluster));
  const controlPlane = controlPlaneOperations(facts, blueprint, desired, progress.controlPlane.isPending);
  const groups = workers(facts, desired, progress);
  const parts = groups.flatMap((group) => group.parts);
  const objects = groups.flatMap((group) => group.objects);
  const applied = [...controlPlane.object, ...objects];
  const inUse = new Set([
    ...referredTo(referrers(live, applied)),
    ...resultsOf([...controlPlane.template, ...parts]).map(keyOfObject),
  ]);
  const stages: TopologyOperation[][] = [
    [...infrastructure, ...controlPlane.template],
    controlPlane.object,
    list(referring(live.cluster, desired.cluster)),
    parts,
    objects,
    [
      ...healthChecks(facts, desired, progress),
      ...deletedHealthChecks(facts, desired),
      ...deletedWorkers(facts, live.machineDeployments, desired.machineDeployments),
      ...deletedWorkers(facts, live.machinePools, desired.machinePools),
    ],
    unusedTemplates(facts, inUse),
  ];
  return stages.filter((stage) => stage.length > 0);
};

/** The operations of a pass, in stages: those of a stage may be carried out concurrently. */
export interface TopologyPlan {
  stages: TopologyOperation[][];
  /** Undefined if extensions prevent the topology from being created. */
  progress?: TopologyProgress;
}

/**
 * Whether no object of the cluster exists. References are irrelevant: a user may write any reference into a new
 * Cluster, and the objects get the names in it.
 */
const isNew = (live: LiveTopology): boolean => !live.controlPlane && !infrastructureOf(live);

/**
 * The operations that give the objects of a cluster the state that its topology currently requires (reconcileState):
 * the infrastructure and the control plane exist before the Cluster refers to them, and the Cluster refers to them
 * before its workers exist. `session`: the hooks of extensions; without it there are none. Throws TopologyError,
 * StatusError for objects that do not match their schema, and AnswerNeeded if an extension has to be called first.
 */
export const planTopology = (
  blueprint: Blueprint,
  live: LiveTopology,
  now: Date,
  session: HookSession = withoutExtensions(live.cluster),
): TopologyPlan => {
  const facts: Facts = { live, now, kindOf: blueprint.kindOf };
  if (isNew(live) && !session.passes('BeforeClusterCreate')) return { stages: [] };
  const { objects: desired, progress } = wrapping('error computing the desired state of the Cluster topology', () =>
    desiredTopology(blueprint, live, session),
  );
  return wrapping('error reconciling the Cluster topology', () => {
    callAfterHooks(live.cluster, isNew(live), progress, session);
    const isUnfinished = session.isPending('AfterClusterUpgrade');
    const cluster = session.remembered(desired.cluster);
    return {
      stages: stagesOf(facts, blueprint, { ...desired, cluster }, progress),
      progress: { ...progress, blocking: session.blocking, isUnfinished },
    };
  });
};
