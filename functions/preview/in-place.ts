import { isDeepStrictEqual } from 'node:util';
import { kinds, type Machine } from '../../shared/kinds/index.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import { admitUpdate } from '../../shared/kube-api/registry/admission.ts';
import {
  inPlaceOfControlPlane,
  inPlaceOfSet,
  type InPlace as Wanted,
  withInPlace,
} from '../../shared/plan/machines/in-place.ts';
import { isObjectPaused } from '../../shared/plan/status/paused.ts';
import { type ClusterSnapshot, isControlledBy } from '../cluster/snapshot.ts';
import { type InPlace, named } from './plan.ts';
import type { World } from './world.ts';

const changedKeys = (before: object = {}, after: object = {}): string[] => {
  const [a, b] = [before as Record<string, unknown>, after as Record<string, unknown>];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((key) => !isDeepStrictEqual(a[key], b[key]));
};

/** The fields in which two versions of a machine differ and that are updated in place. */
const changedFields = (before: Machine, after: Machine): string[] => [
  ...changedKeys(before.metadata.labels, after.metadata.labels).map((key) => `label ${key}`),
  ...changedKeys(before.metadata.annotations, after.metadata.annotations).map((key) => `annotation ${key}`),
  ...changedKeys(before.spec, after.spec).map((key) => `spec.${key}`),
];

/** A machine as it would be stored after the in-place update, with the defaults of its kind. */
const takenOver = (machine: Machine, wanted: Wanted): Machine =>
  admitUpdate(kinds.machine, withInPlace(machine, wanted), machine, 'all');

/**
 * The fields that are updated in place on the machines of one owner. Admission, which knows the defaults, runs once for
 * machines with the same differences: there may be hundreds.
 */
const makeFieldsOf = () => {
  const known = new Map<string, string[]>();
  return (machine: Machine, wanted: Wanted): string[] => {
    const raw = changedFields(machine, withInPlace(machine, wanted));
    if (raw.length === 0) return raw;
    const { labels, annotations } = machine.metadata;
    const { providerID: _, infrastructureRef: __, bootstrap: ___, ...spec } = machine.spec;
    const key = JSON.stringify([raw, labels, annotations, spec]);
    const fields = known.get(key) ?? changedFields(machine, takenOver(machine, wanted)).sort();
    known.set(key, fields);
    return fields;
  };
};

interface Owner {
  /** The owner of the machines. */
  owner: KubeObject;
  /** The owner that a user knows: a MachineDeployment rather than its set. */
  shown: KubeObject;
  wanted: Wanted;
}

const ownersOf = ({ cluster, controlPlane, distribution, sets, deployments }: ClusterSnapshot): Owner[] => [
  ...(controlPlane && distribution && !distribution.isOutside
    ? [
        {
          ...{ owner: controlPlane, shown: controlPlane },
          wanted: inPlaceOfControlPlane(distribution, controlPlane, cluster.metadata.name),
        },
      ]
    : []),
  ...sets.map((set) => ({
    owner: set,
    shown: deployments.find((deployment) => isControlledBy(set, deployment)) ?? set,
    wanted: inPlaceOfSet(set),
  })),
];

/**
 * The fields that existing machines take over from their owners. `world` has the sets as their deployments specify
 * them.
 */
export const planInPlace = ({ snapshot }: World, stays: (machine: Machine) => boolean): InPlace[] => {
  const found = new Map<string, InPlace & { machines: string[] }>();
  for (const { owner, shown, wanted } of ownersOf(snapshot)) {
    if (isObjectPaused(owner) || owner.metadata.deletionTimestamp) continue;
    const fieldsOf = makeFieldsOf();
    for (const machine of snapshot.machines.filter((one) => isControlledBy(one, owner) && stays(one))) {
      const fields = fieldsOf(machine, wanted);
      if (fields.length === 0) continue;
      const key = JSON.stringify([named(shown), fields]);
      const entry = found.get(key) ?? { owner: named(shown), fields, machines: [] };
      entry.machines.push(machine.metadata.name);
      found.set(key, entry);
    }
  }
  return [...found.values()];
};
