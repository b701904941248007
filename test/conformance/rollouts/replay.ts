/** Runs Windlass's planners in the order in which upstream's controllers ran, to find decisions that differ. */
import type { Machine, MachineDeployment, MachineSet } from '../../../shared/kinds/index.ts';
import { desiredWorkerMachine } from '../../../shared/plan/machines/desired.ts';
import { planDeployment } from '../../../shared/plan/rollout/plan.ts';
import { planMachineSetScale } from '../../../shared/plan/workers/scale.ts';
import { newWorld } from '../../simulation/rollout/world.ts';
import type { Event, SetState, Transcript } from './transcript.ts';

const MINUTE_MILLISECONDS = 60_000;
const START = Date.parse('2026-01-01T00:00:00Z');
const NOW = new Date('2026-02-01T00:00:00Z');

/** A set with its name in the transcript, such as `ms2`. */
interface NamedSet {
  label: string;
  object: MachineSet;
  /**
   * The machines at the last reconciliation of the set. Upstream's deployment uses the status of its sets, which is
   * from the same time.
   */
  seen: Machine[];
}

interface World {
  deployment: MachineDeployment;
  sets: NamedSet[];
  /** Machines by their name in the transcript, such as `m7`. */
  machines: Map<string, { set: NamedSet; object: Machine }>;
}

const versionOf = (number: number): string => `v1.30.${number}`;

const numberOf = (label: string): number => Number(/\d+$/.exec(label)?.[0]);

const machinesOf = ({ machines }: World, set: NamedSet): [string, Machine][] =>
  [...machines].flatMap(([label, machine]) => (machine.set === set ? [[label, machine.object]] : []));

const withVersion = (deployment: MachineDeployment, version: string): MachineDeployment => {
  const { template } = deployment.spec;
  return {
    ...deployment,
    spec: { ...deployment.spec, template: { ...template, spec: { ...template.spec, version } } },
  };
};

const addSet = (world: World, label: string, object: MachineSet): NamedSet => {
  const creationTimestamp = new Date(START + numberOf(label)).toISOString();
  const metadata = { ...object.metadata, uid: `uid-${label}`, creationTimestamp };
  const set = { label, object: { ...object, metadata }, seen: [] };
  world.sets.push(set);
  return set;
};

/** Adds a machine that is available immediately. Machines with higher numbers are newer. */
const addMachine = (world: World, label: string, set: NamedSet, name = label): void => {
  const made = desiredWorkerMachine(set.object, undefined, name);
  const lastTransitionTime = new Date(START).toISOString();
  const creationTimestamp = new Date(START + numberOf(label) * MINUTE_MILLISECONDS).toISOString();
  const condition = (type: string) => ({ type, status: 'True', reason: 'Simulated', message: '', lastTransitionTime });
  const status = { nodeRef: { name }, conditions: [condition('Available'), condition('NodeHealthy')] };
  const metadata = { ...made.metadata, creationTimestamp, uid: `uid-${name}` };
  world.machines.set(label, { set, object: { ...made, metadata, status: status as Machine['status'] } });
};

/**
 * Creates the initial sets, each with another version. The deployment has the version of the last set, or a new one.
 */
const begin = ({ replicas, bounds, initial, events }: Transcript): World => {
  const { deployment } = newWorld({ replicas, order: 'Oldest', ...(bounds ?? { strategy: 'OnDelete' }) });
  const world: World = { deployment, sets: [], machines: new Map() };
  for (const [index, { name, desired, machines }] of initial.entries()) {
    const of = withVersion(deployment, versionOf(index));
    const { create } = planDeployment({ deployment: of, sets: [], machinesOf: () => [], now: NOW });
    if (!create) throw new Error(`no set was planned for ${name}`);
    const set = addSet(world, name, { ...create, spec: { ...create.spec, replicas: desired } });
    for (const machine of machines) addMachine(world, machine, set);
    set.seen = machinesOf(world, set).map(([, object]) => object);
  }
  const most = Math.max(...events.map((event) => (event.do === 'plan' ? event.sets.length : 0)));
  world.deployment = withVersion(deployment, versionOf(most - 1));
  return world;
};

const stateOf = (world: World, set: NamedSet): SetState => ({
  name: set.label,
  replicas: set.seen.length,
  desired: set.object.spec.replicas ?? 0,
  machines: machinesOf(world, set)
    .map(([label]) => label)
    .sort((a, b) => numberOf(a) - numberOf(b)),
});

const plan = (world: World): SetState[] => {
  const { deployment, sets } = world;
  const seenOf = ({ metadata }: MachineSet) =>
    sets.find(({ object }) => object.metadata.uid === metadata.uid)?.seen ?? [];
  const planned = planDeployment({ deployment, sets: sets.map(({ object }) => object), machinesOf: seenOf, now: NOW });
  for (const next of planned.update) {
    const set = sets.find(({ object }) => object.metadata.name === next.metadata.name);
    if (set) set.object = next;
  }
  if (planned.create) addSet(world, `ms${sets.length + 1}`, planned.create);
  return sets.map((set) => stateOf(world, set));
};

/** Reconciles a set. Deleted machines are gone immediately, as in upstream's transcripts. */
const reconcile = (world: World, { name }: SetState, next: () => string) => {
  const set = world.sets.find(({ label }) => label === name);
  if (!set) throw new Error(`${name} is not there`);
  const before = stateOf(world, set);
  const machines = machinesOf(world, set);
  const scale = planMachineSetScale({
    set: set.object,
    machines: machines.map(([, object]) => object),
    taken: [...world.machines.values()].map(({ object }) => object.metadata.name),
    instances: new Map(),
    now: NOW,
  });
  const created = scale.create.map((machine) => {
    const label = next();
    addMachine(world, label, set, machine);
    return label;
  });
  const deleted = machines.flatMap(([label, { metadata }]) => (scale.remove.includes(metadata.name) ? [label] : []));
  for (const label of deleted) world.machines.delete(label);
  set.seen = machinesOf(world, set).map(([, object]) => object);
  return { do: 'set', set: before, created, deleted: deleted.sort((a, b) => numberOf(a) - numberOf(b)) } as const;
};

const deleteMachine = (world: World, label: string): void => {
  const found = world.machines.get(label);
  if (!found) throw new Error(`${label} is not there`);
  const { object } = found;
  found.object = { ...object, metadata: { ...object.metadata, deletionTimestamp: NOW.toISOString() } };
};

/**
 * Replays the events with Windlass's planners, and returns them with the final state. Throws an Error if an event is
 * impossible.
 */
export const replay = (transcript: Transcript): Pick<Transcript, 'events' | 'final'> => {
  const world = begin(transcript);
  let last = Math.max(...[...world.machines.keys()].map(numberOf));
  const next = (): string => {
    last += 1;
    return `m${last}`;
  };
  const events = transcript.events.map((event): Event => {
    if (event.do === 'plan') return { do: 'plan', sets: plan(world) };
    if (event.do === 'set') return reconcile(world, event.set, next);
    if (event.do === 'delete') deleteMachine(world, event.machine);
    else world.machines.delete(event.machine);
    return event;
  });
  return { events, final: world.sets.map((set) => stateOf(world, set)) };
};
