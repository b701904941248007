import { kinds } from '../../../../shared/kinds/index.ts';
import { isOwnedByKind } from '../../../../shared/kinds/reference.ts';
import type { ObjectKey } from '../../../../shared/kube-api/object.ts';
import type { KnownMachine } from '../../../../shared/providers/aws/plan/drift/states.ts';
import { awsName } from '../../../../shared/providers/aws/references.ts';
import type { EventDependencies } from '../../../events/dependencies.ts';

type FindDependencies = Pick<EventDependencies, 'objects' | 'findByInstance'>;

const readMachine = async (
  { objects }: FindDependencies,
  key: ObjectKey,
  instanceId: string,
): Promise<KnownMachine[]> => {
  const infrastructure = await objects.get(kinds.awsMachine, key);
  // The index may lag behind the object.
  if (infrastructure?.spec.instanceID !== instanceId) return [];
  const owner = infrastructure.metadata.ownerReferences?.find(isOwnedByKind(kinds.machine));
  const { namespace } = key;
  const machine = owner && (await objects.get(kinds.machine, { namespace, name: owner.name }));
  if (!machine || machine.metadata.uid !== owner?.uid) return [];
  if (awsName('machine', machine.spec.infrastructureRef) !== key.name) return [];
  const cluster = await objects.get(kinds.cluster, { namespace, name: machine.spec.clusterName });
  return cluster ? [{ machine, infrastructure, cluster }] : [];
};

/**
 * The machine whose instance this is; undefined where it is none of ours, which costs one request to the index and is
 * the usual case in an account that has other instances.
 */
export const findMachine = async (deps: FindDependencies, instanceId: string): Promise<KnownMachine | undefined> => {
  const keys = await deps.findByInstance(instanceId);
  return (await Promise.all(keys.map((key) => readMachine(deps, key, instanceId)))).flat()[0];
};
