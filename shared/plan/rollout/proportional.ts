import type { Bounds } from './bounds.ts';
import { committed, type ScaleIntent, type SetFacts, sumOf } from './facts.ts';

/** A set with `machinedeployment.clusters.x-k8s.io/max-replicas`: replicas and surge when it was last scaled. */
export interface SizedSet extends SetFacts {
  maxReplicas?: number;
}

const active = (sets: readonly SizedSet[]): SizedSet[] => sets.filter((set) => set.desired > 0);

/** Rounds like Go: halves away from zero. */
const round = (value: number): number => Math.sign(value) * Math.round(Math.abs(value));

const intent = (set: SetFacts, replicas: number, reason: string): ScaleIntent[] =>
  set.desired === replicas ? [] : [{ set: set.name, replicas, reason }];

/** Larger sets first. Of equal ones, the newer comes first if machines are added, and the older if they are removed. */
const bySize = (sets: readonly SizedSet[], adding: boolean): SizedSet[] =>
  [...sets].sort((a, b) => b.desired - a.desired || (adding ? b.createdAt - a.createdAt : a.createdAt - b.createdAt));

/**
 * Distributes `toAdd` (negative: to remove) in proportion to the sizes of the sets. The remainder from rounding goes to
 * the largest set.
 */
const shareOut = (sets: readonly SizedSet[], toAdd: number, bounds: Bounds, total: number): ScaleIntent[] => {
  const ordered = bySize(sets, toAdd > 0);
  let added = 0;
  const shares = ordered.map((set) => {
    const base = set.maxReplicas || total;
    const size = (set.desired * (bounds.replicas + bounds.maxSurge)) / base;
    const share = bounds.replicas === 0 ? -set.desired : round(size) - set.desired;
    const left = toAdd - added;
    const given = left === 0 ? 0 : toAdd > 0 ? Math.min(share, left) : Math.max(share, left);
    added += given;
    return given;
  });
  return ordered.flatMap((set, at) => {
    const rest = at === 0 ? toAdd - added : 0;
    const to = Math.max(set.desired + (shares[at] ?? 0) + rest, 0);
    return intent(set, to, `its share of ${bounds.replicas} replicas, while the rollout is paused`);
  });
};

/** Limits growth to the room that machines in deletion leave. */
const withinRoom = (intents: readonly ScaleIntent[], all: readonly SizedSet[], allowed: number): ScaleIntent[] => {
  let room = allowed - sumOf(all, committed);
  const from = (name: string) => all.find((set) => set.name === name)?.desired ?? 0;
  return intents.flatMap((wish) => {
    const growth = wish.replicas - from(wish.set);
    if (growth <= 0) return [wish];
    const granted = Math.min(growth, Math.max(room, 0));
    room -= granted;
    return granted > 0 ? [{ ...wish, replicas: wish.replicas - growth + granted }] : [];
  });
};

interface PausedSets {
  current?: SizedSet;
  old: readonly SizedSet[];
  /** Whether users decide which machines are replaced. */
  isOnDelete?: boolean;
}

/**
 * How a paused deployment follows a change of its replicas in the middle of a rollout: each set keeps its share, so
 * that neither template gains on the other. The same as Cluster API's `scale`, which comes from Kubernetes' Deployment.
 * If machines are only replaced when users delete them, it changes nothing as long as several sets have machines.
 */
export const planProportional = (sets: PausedSets, bounds: Bounds): ScaleIntent[] => {
  const { current, old } = sets;
  const all = current ? [...old, current] : [...old];
  return withinRoom(shares(all, sets, bounds), all, bounds.replicas + bounds.maxSurge);
};

const shares = (all: readonly SizedSet[], { current, old, isOnDelete }: PausedSets, bounds: Bounds): ScaleIntent[] => {
  const serving = active(all);
  const latest = current ?? [...old].sort((a, b) => b.createdAt - a.createdAt)[0];
  const only = serving.length === 0 ? latest : serving.length === 1 ? serving[0] : undefined;
  if (serving.length <= 1)
    return only ? intent(only, bounds.replicas, `the MachineDeployment has ${bounds.replicas} replicas`) : [];
  if (current && current.desired === bounds.replicas && current.available === bounds.replicas) {
    return active(old).flatMap((set) => intent(set, 0, 'the current MachineSet has all machines'));
  }
  if (isOnDelete) return [];
  const allowed = bounds.replicas > 0 ? bounds.replicas + bounds.maxSurge : 0;
  const total = sumOf(serving, (set) => set.desired);
  return total === allowed ? [] : shareOut(serving, allowed - total, bounds, total);
};
