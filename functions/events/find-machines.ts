import { kinds } from '../../shared/kinds/index.ts';
import { isOwnedByKind, refersTo } from '../../shared/kinds/reference.ts';
import type { ObjectKey } from '../../shared/kube-api/object.ts';
import type { KnownMachine } from '../../shared/plan/drift/finding.ts';
import { copiesIn } from '../../shared/plan/machines/copies.ts';
import type { Infrastructure } from '../../shared/providers/infrastructure.ts';
import { mapIsolated } from '../../shared/store/concurrency.ts';
import type { EventDependencies } from './dependencies.ts';

type FindDependencies = Pick<EventDependencies, 'objects' | 'findByInstance'>;

/** The machine whose infrastructure machine is `key`; undefined if it does not have the instance, or not any more. */
export const readMachine = async (
  { objects }: FindDependencies,
  provider: Infrastructure,
  key: ObjectKey,
  instanceId: string,
): Promise<KnownMachine | undefined> => {
  const infrastructure = await objects.get(provider.machine, key);
  // The index may lag behind the object.
  if (!infrastructure || provider.instance(infrastructure).name !== instanceId) return undefined;
  const owner = infrastructure.metadata.ownerReferences?.find(isOwnedByKind(kinds.machine));
  const { namespace } = key;
  const machine = owner && (await objects.get(kinds.machine, { namespace, name: owner.name }));
  if (!machine || machine.metadata.uid !== owner?.uid) return undefined;
  const { infrastructureRef } = machine.spec;
  if (!refersTo(provider.machine, infrastructureRef) || infrastructureRef.name !== key.name) return undefined;
  const cluster = await objects.get(kinds.cluster, { namespace, name: machine.spec.clusterName });
  return cluster && { machine, infrastructure, cluster };
};

const CONCURRENCY = 10;

const withoutCopies = (found: readonly KnownMachine[]): KnownMachine[] => {
  const byCluster = Map.groupBy(found, ({ cluster }) => cluster.metadata.uid);
  return [...byCluster.values()].flatMap((own) => {
    const copies = copiesIn(own.map(({ machine }) => machine));
    return own.filter(({ machine }) => !copies.has(machine.metadata.uid ?? ''));
  });
};

/**
 * The machines that have an instance. In an account with other instances, there is usually none, which costs one
 * request to the index. There may be several: the editor of another namespace can name any instance in an AWSMachine,
 * and must not receive the owner's events instead of the owner. The error of a machine that cannot be read is in
 * `faults`.
 */
export const findMachines = async (
  deps: FindDependencies,
  provider: Infrastructure,
  instanceId: string,
): Promise<{ machines: KnownMachine[]; faults: unknown[] }> => {
  const keys = await deps.findByInstance(instanceId, provider.machine);
  const faults: unknown[] = [];
  const found = await mapIsolated(
    keys,
    CONCURRENCY,
    (key) => readMachine(deps, provider, key, instanceId),
    (_, error) => faults.push(error),
  );
  return { machines: withoutCopies(found.filter((known) => known !== undefined)), faults };
};
