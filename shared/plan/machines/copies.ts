import type { Machine } from '../../kinds/index.ts';
import type { KubeObject } from '../../kube-api/object.ts';

/** Whether an object was created before another one; of the same age, the uid decides. */
export const isOlder = (one: Pick<KubeObject, 'metadata'>, other: Pick<KubeObject, 'metadata'>): boolean => {
  const [created, since] = [one.metadata.creationTimestamp ?? '', other.metadata.creationTimestamp ?? ''];
  return created === since ? (one.metadata.uid ?? '') < (other.metadata.uid ?? '') : created < since;
};

/**
 * Of several owners that refer to an object which nothing controls, the one that it belongs to: that with its name, or
 * otherwise the oldest. A copy is younger than the original.
 */
export const claimantOf = <T extends KubeObject>(object: KubeObject, owner: T, others: readonly T[]): T => {
  const { name } = object.metadata;
  const isBefore = (one: T, other: T): boolean =>
    one.metadata.name === name || (other.metadata.name !== name && isOlder(one, other));
  return others
    .filter(({ metadata }) => metadata.uid !== owner.metadata.uid)
    .reduce((best, other) => (isBefore(best, other) ? best : other), owner);
};

/**
 * The uids of machines whose provider id an older machine of the cluster has. A Machine that a user has copied from
 * another one, with its provider id, has no node of its own: what is done to that node would be done to the original's.
 */
export const copiesIn = (machines: readonly Machine[]): ReadonlySet<string> => {
  const oldest = new Map<string, Machine>();
  for (const machine of machines) {
    const { providerID } = machine.spec;
    const known = providerID && oldest.get(providerID);
    if (providerID && (!known || isOlder(machine, known))) oldest.set(providerID, machine);
  }
  const copies = machines.filter(
    ({ spec: { providerID }, metadata }) => providerID && oldest.get(providerID)?.metadata.uid !== metadata.uid,
  );
  return new Set(copies.map(({ metadata }) => metadata.uid ?? ''));
};
