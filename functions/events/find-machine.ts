import { kinds } from '../../shared/kinds/index.ts';
import { isOwnedByKind, refersTo } from '../../shared/kinds/reference.ts';
import type { ObjectKey } from '../../shared/kube-api/object.ts';
import type { KnownMachine } from '../../shared/plan/drift/finding.ts';
import { copiesIn } from '../../shared/plan/machines/copies.ts';
import type { Infrastructure } from '../../shared/providers/infrastructure.ts';
import type { EventDependencies } from './dependencies.ts';

type FindDependencies = Pick<EventDependencies, 'objects' | 'findByInstance'>;

const readMachine = async (
  { objects }: FindDependencies,
  provider: Infrastructure,
  key: ObjectKey,
  instanceId: string,
): Promise<KnownMachine[]> => {
  const infrastructure = await objects.get(provider.machine, key);
  // The index may lag behind the object.
  if (!infrastructure || provider.instance(infrastructure).name !== instanceId) return [];
  const owner = infrastructure.metadata.ownerReferences?.find(isOwnedByKind(kinds.machine));
  const { namespace } = key;
  const machine = owner && (await objects.get(kinds.machine, { namespace, name: owner.name }));
  if (!machine || machine.metadata.uid !== owner?.uid) return [];
  const { infrastructureRef } = machine.spec;
  if (!refersTo(provider.machine, infrastructureRef) || infrastructureRef.name !== key.name) return [];
  const cluster = await objects.get(kinds.cluster, { namespace, name: machine.spec.clusterName });
  return cluster ? [{ machine, infrastructure, cluster }] : [];
};

/**
 * The machine of an instance. In an account with other instances, there is usually none: then it is undefined, and
 * costs one request to the index.
 */
export const findMachine = async (
  deps: FindDependencies,
  provider: Infrastructure,
  instanceId: string,
): Promise<KnownMachine | undefined> => {
  const keys = await deps.findByInstance(instanceId, provider.machine);
  const found = (await Promise.all(keys.map((key) => readMachine(deps, provider, key, instanceId)))).flat();
  const copies = copiesIn(found.map(({ machine }) => machine));
  return found.find(({ machine }) => !copies.has(machine.metadata.uid ?? ''));
};
