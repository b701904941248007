import { isDeepStrictEqual } from 'node:util';
import type { V1Node, V1Taint } from '@kubernetes/client-node';
import type { Machine } from '../../kinds/index.ts';
import { ANNOTATION } from '../labels.ts';

/** Keeps pods off a worker until its labels are set. kubeadm joins with it, and Windlass removes it. */
const UNINITIALIZED_TAINT = { key: 'node.cluster.x-k8s.io/uninitialized', effect: 'NoSchedule' };

/** Asks the scheduler to avoid a node that a rollout is about to replace. */
const OUTDATED_TAINT = { key: 'node.cluster.x-k8s.io/outdated-revision', effect: 'PreferNoSchedule' };

type Identity = Pick<V1Taint, 'key' | 'effect'>;

const nameOf = ({ key, effect }: Identity): string => `${key}:${effect}`;
const isSame = (a: Identity) => (b: Identity) => nameOf(a) === nameOf(b);

const without = (taints: readonly V1Taint[], taint: Identity): V1Taint[] =>
  taints.filter((present) => !isSame(taint)(present));

/** The taints with this one, which replaces one with the same key and effect. An equal one is not changed. */
const withTaint = (taints: readonly V1Taint[], taint: V1Taint): V1Taint[] => {
  const found = taints.find(isSame(taint));
  if (!found) return [...taints, taint];
  return (found.value ?? '') === (taint.value ?? '') ? [...taints] : taints.map((t) => (t === found ? taint : t));
};

export interface NodeTaints {
  /** All desired taints of the node; undefined if it has exactly these. */
  taints: V1Taint[] | undefined;
  /** For the annotation that records which taints came from the machine. */
  tracked: string;
}

/**
 * The machine's own taints: `Always` permanently, `OnInitialization` until the node has been annotated for the first
 * time.
 */
const propagated = (machine: Machine, before: string | undefined, taints: readonly V1Taint[]): V1Taint[] => {
  const wanted = machine.spec.taints ?? [];
  const names = new Set(wanted.map(nameOf));
  const given = wanted
    .filter(({ propagation }) => propagation === 'Always' || before === undefined)
    .map(({ key, value, effect }): V1Taint => ({ key, effect, ...(value ? { value } : {}) }))
    .reduce(withTaint, [...taints]);
  const owned = new Set((before ?? '').split(',').filter(Boolean));
  return given.filter((taint) => !owned.has(nameOf(taint)) || names.has(nameOf(taint)));
};

/**
 * The taints of a machine's node, as upstream manages them: those of the machine, without the one for uninitialized
 * nodes, and one for an outdated node if that is known. All others are kept.
 */
export const nodeTaints = (machine: Machine, node: V1Node, outdated: boolean | undefined): NodeTaints => {
  const present = node.spec?.taints ?? [];
  const before = node.metadata?.annotations?.[ANNOTATION.nodeTaintsFromMachine];
  const own = propagated(machine, before, without(present, UNINITIALIZED_TAINT));
  const marked = outdated ? withTaint(own, OUTDATED_TAINT) : without(own, OUTDATED_TAINT);
  const taints = outdated === undefined ? own : marked;
  const always = (machine.spec.taints ?? []).filter(({ propagation }) => propagation === 'Always');
  return {
    taints: isDeepStrictEqual(taints, present) ? undefined : taints,
    tracked: always.map(nameOf).toSorted().join(','),
  };
};
