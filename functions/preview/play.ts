import type { Machine } from '../../shared/kinds/index.ts';
import { boundsOf } from '../../shared/plan/rollout/bounds.ts';
import { makeWhyOutdated } from '../cluster/objects/control-plane/up-to-date.ts';
import { isControlledBy } from '../cluster/snapshot.ts';
import { actControlPlane } from './act-control-plane.ts';
import { actWorkers } from './act-workers.ts';
import type { Acted } from './acted.ts';
import { planInPlace } from './in-place.ts';
import { type InPlace, type Named, named, type OwnerPlan, type Step } from './plan.ts';
import { settled, type World } from './world.ts';

/**
 * The most machines that are evaluated in total, about a second of work. If hundreds are replaced one by one, only the
 * first steps are followed.
 */
const MAX_WORK = 100_000;

export interface Played {
  owners: OwnerPlan[];
  inPlace: InPlace[];
  complete: boolean;
  /** The cluster when nothing is left to do. */
  end: World;
}

const keyOf = ({ kind, name }: Named): string => `${kind}/${name}`;

const later = ({ now }: World): Date => new Date(now.getTime() + 1000);

/**
 * One pass over the cluster: first the control plane and then the workers act, and then all requested changes have
 * happened.
 */
const pass = (world: World): { world: World; acted: Acted[]; changed: boolean; acting: World } => {
  const first = actControlPlane(world);
  const second = actWorkers(first.world);
  const acted = [...(first.acted ? [first.acted] : []), ...second.acted];
  const changed = second.changed || acted.some(({ make, remove }) => make.length + remove.length > 0);
  const next = settled({ ...second.world, now: later(world) });
  const machines = second.world.snapshot.machines;
  const left = next.snapshot.machines;
  const moved = left.length !== machines.length || left.some((machine, at) => machine !== machines[at]);
  return { world: next, acted, changed: changed || moved, acting: second.world };
};

/** Collects the actions of each owner over all passes. */
const makeAccount = () => {
  const owners = new Map<string, OwnerPlan & { steps: Step[] }>();
  const waits = new Map<string, string>();
  const note = (number: number, { owner, make, remove, newSet, blocked }: Acted): void => {
    const key = keyOf(owner);
    const had = owners.get(key);
    const isActing = make.length + remove.length > 0;
    if (blocked && !waits.has(key) && !had?.steps.length) waits.set(key, blocked);
    if (!isActing && newSet === undefined && blocked === undefined) return;
    const entry = had ?? { owner, steps: [], reasons: [] };
    if (isActing) entry.steps.push({ pass: number, owner, make, remove });
    owners.set(key, { ...entry, ...(newSet ? { newSet } : {}) });
  };
  const close = (last: readonly Acted[]): OwnerPlan[] =>
    [...owners].map(([key, entry]) => {
      const blocked = last.find(({ owner, blocked: why }) => why !== undefined && keyOf(owner) === key)?.blocked;
      const waited = waits.get(key);
      return {
        ...entry,
        ...(blocked ? { blocked } : {}),
        ...(waited && entry.steps.length > 0 && !blocked ? { waits: waited } : {}),
      };
    });
  return { note, close };
};

interface Outdated {
  reasons: Set<string>;
  machines: number;
}

/** The machines of each owner that are replaced, and the reasons, before anything happens. */
const outdatedOf = ({ snapshot, configs, now }: World): ReadonlyMap<string, Outdated> => {
  const why = makeWhyOutdated(snapshot, configs, now);
  const found = new Map<string, Outdated>();
  const ownerOf = (machine: Machine) => {
    const set = snapshot.sets.find((one) => isControlledBy(machine, one));
    if (set) return snapshot.deployments.find((one) => isControlledBy(set, one)) ?? set;
    return snapshot.controlPlane && isControlledBy(machine, snapshot.controlPlane) ? snapshot.controlPlane : undefined;
  };
  for (const machine of snapshot.machines) {
    const reasons = why(machine) ?? [];
    const owner = reasons.length > 0 && !machine.metadata.deletionTimestamp ? ownerOf(machine) : undefined;
    if (!owner) continue;
    const key = keyOf(named(owner));
    const entry = found.get(key) ?? { reasons: new Set(), machines: 0 };
    for (const reason of reasons) entry.reasons.add(reason);
    found.set(key, { ...entry, machines: entry.machines + 1 });
  }
  return found;
};

const withContext = (world: World, plan: OwnerPlan, outdated: Outdated | undefined, complete: boolean): OwnerPlan => {
  if (!outdated) return plan;
  const deployment = world.snapshot.deployments.find(
    ({ kind, metadata }) => kind === plan.owner.kind && metadata.name === plan.owner.name,
  );
  const known = {
    ...plan,
    reasons: [...outdated.reasons],
    ...(complete ? {} : { outdated: outdated.machines }),
  };
  if (!deployment || deployment.spec.rollout?.strategy?.type === 'OnDelete') return known;
  const { replicas, maxSurge, maxUnavailable } = boundsOf(deployment);
  return { ...known, bounds: { most: replicas + maxSurge, fewest: replicas - maxUnavailable } };
};

/** Runs the planners on the state, and again on the result, until they change nothing. */
export const play = (start: World): Played => {
  const account = makeAccount();
  const outdated = outdatedOf(start);
  let world = start;
  let inPlace: World | undefined;
  let last: Acted[] = [];
  let work = 0;
  let changed = true;
  for (let number = 0; changed && work < MAX_WORK; number += 1) {
    const done = pass(world);
    for (const acted of done.acted) account.note(number, acted);
    inPlace ??= done.acting;
    world = done.world;
    last = done.acted;
    // The status may have been outdated at first.
    changed = done.changed || number === 0;
    work += world.snapshot.machines.length + 10;
  }
  const left = new Set(world.snapshot.machines.map(({ metadata }) => metadata.uid));
  const before = new Set(start.snapshot.machines.map(({ metadata }) => metadata.uid));
  const stays = ({ metadata }: Machine): boolean => left.has(metadata.uid) && before.has(metadata.uid);
  return {
    owners: account.close(last).map((owner) => withContext(start, owner, outdated.get(keyOf(owner.owner)), !changed)),
    inPlace: inPlace ? planInPlace(inPlace, stays) : [],
    complete: !changed,
    end: world,
  };
};
