import type { ControlPlane } from '../../shared/kinds/contract-objects.ts';
import { type Cluster, kinds, type Machine, type MachineDeployment } from '../../shared/kinds/index.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../shared/kube-api/resource.ts';
import { type PoolObjects, readPools } from '../cluster/pools.ts';
import type { ClusterSnapshot } from '../cluster/snapshot.ts';
import type { InPlace, OwnerPlan } from './plan.ts';
import { type Played, play } from './play.ts';
import { type Change, type Reads, withChanges } from './reads.ts';
import { previewTopology } from './topology.ts';
import { readWorld, templateKey, type World } from './world.ts';

/**
 * The most turns of a topology that are followed; an upgrade over many minor versions with workers has the most turns.
 */
const MAX_TURNS = 20;

/** Everything that happens in a cluster. */
export interface Followed {
  /** The world at the start, with the immediate changes of the topology. */
  world: World;
  owners: OwnerPlan[];
  inPlace: InPlace[];
  complete: boolean;
  notes: string[];
  /** The immediate changes of the topology. */
  changes: Change[];
  /** The desired state of the pools at the end. */
  pools: PoolObjects[];
  /** The Machines at the end. */
  machines: readonly Machine[];
}

type At = Pick<World, 'unborn' | 'allowance' | 'now'>;

const keyOf = ({ kind, metadata }: KubeObject): string => `${kind}/${metadata.name}`;

const changesOf = <T extends KubeObject>(
  resource: ResourceDefinition<T>,
  before: readonly T[],
  after: readonly T[],
): Change[] => {
  const left = new Set(after.map(keyOf));
  const gone = before.filter((object) => !left.has(keyOf(object)));
  const as = resource as unknown as ResourceDefinition;
  return [
    ...after.map((object): Change => ({ resource: as, type: 'updated', object })),
    ...gone.map((object): Change => ({ resource: as, type: 'deleted', object })),
  ];
};

/** The planners' changes to the objects on which a topology depends. */
const donePart = (before: ClusterSnapshot, after: ClusterSnapshot): Change[] => [
  ...(after.controlPlane && after.distribution
    ? changesOf(after.distribution.controlPlane, [], [after.controlPlane])
    : []),
  ...changesOf(kinds.machineDeployment, before.deployments, after.deployments),
  ...changesOf(kinds.machineSet, before.sets, after.sets),
  ...changesOf(kinds.machine, before.machines, after.machines),
];

/** A world with the changes of a topology. */
const withTopology = (world: World, changes: readonly Change[]): World => {
  const { snapshot } = world;
  const deployments = new Map(snapshot.deployments.map((one) => [one.metadata.name, one]));
  const templates = new Map(world.templates);
  let { controlPlane } = snapshot;
  for (const { resource, type, object } of changes) {
    if (resource.kind === kinds.machineDeployment.kind) {
      deployments.set(object.metadata.name, object as MachineDeployment);
    } else if (resource.kind.endsWith('Template')) {
      const key = templateKey(resource.kind, object.metadata.name);
      if (type === 'deleted') templates.delete(key);
      else templates.set(key, object);
    } else if (keyOf(object) === (controlPlane && keyOf(controlPlane))) {
      controlPlane = object as ControlPlane;
    }
  }
  return { ...world, templates, snapshot: { ...snapshot, controlPlane, deployments: [...deployments.values()] } };
};

/** The plans of both phases; the later steps of an owner are numbered after its earlier ones. */
const joined = (before: readonly OwnerPlan[], after: readonly OwnerPlan[]): OwnerPlan[] => {
  const passes = before.flatMap(({ steps }) => steps.map(({ pass }) => pass));
  const offset = passes.length > 0 ? Math.max(...passes) + 1 : 0;
  const owners = new Map(before.map((plan) => [`${plan.owner.kind}/${plan.owner.name}`, plan]));
  for (const plan of after) {
    const key = `${plan.owner.kind}/${plan.owner.name}`;
    const { steps = [], reasons = [], ...known } = owners.get(key) ?? {};
    const later = plan.steps.map((step) => ({ ...step, pass: step.pass + offset }));
    const all = [...new Set([...reasons, ...plan.reasons])];
    owners.set(key, { ...known, ...plan, steps: [...steps, ...later], reasons: all });
  }
  return [...owners.values()];
};

const asFollowed = (world: World, { owners, inPlace, complete, end }: Played): Followed => ({
  world,
  owners,
  inPlace,
  complete,
  notes: [],
  changes: [],
  pools: world.pools,
  machines: end.snapshot.machines,
});

const nothing = (world: World): Played => ({ owners: [], inPlace: [], complete: true, end: world });

/**
 * Everything that happens in a cluster until nothing is left to do. If there is a topology, its next changes are
 * computed each time the planners have finished: an upgrade continues with the workers when the control plane is
 * upgraded. Undefined if the Cluster does not exist.
 */
export const follow = async (reads: Reads, cluster: Cluster, at: At): Promise<Followed | undefined> => {
  const first = await previewTopology(reads, cluster, at.now);
  let seen = first?.reads ?? reads;
  const world = await readWorld(seen, cluster, at);
  if (!world || cluster.metadata.deletionTimestamp) return world && asFollowed(world, nothing(world));
  let played = play(world);
  const found = asFollowed(world, played);
  if (!first) return found;
  found.notes.push(...first.notes);
  found.changes.push(...first.changes);
  let begun = world;
  for (let turn = 0; found.complete && turn < MAX_TURNS; turn += 1) {
    seen = withChanges(seen, donePart(begun.snapshot, played.end.snapshot));
    const next = await previewTopology(seen, played.end.snapshot.cluster, at.now);
    if (!next || next.changes.length === 0) return found;
    found.notes.push(...next.notes.map((note) => `then it ${note}`));
    seen = next.reads;
    found.pools = await readPools(seen, begun.snapshot);
    begun = withTopology(played.end, next.changes);
    played = play(begun);
    found.owners = joined(found.owners, played.owners);
    found.machines = played.end.snapshot.machines;
    found.complete = played.complete;
  }
  return { ...found, complete: false };
};
