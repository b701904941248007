/** Bootstrap data of pools in S3: an object for each content, because instances of earlier versions may still start. */
import { isDenied } from '../../../../shared/aws/errors.ts';
import { type AWSCluster, type AWSMachinePool, kinds } from '../../../../shared/kinds/index.ts';
import { readGroupMemory, withGroupMemory } from '../../../../shared/providers/aws/machine-pool/memory.ts';
import type { DesiredTemplate } from '../../../../shared/providers/aws/machine-pool/model.ts';
import { isObjectOfPool } from '../../../../shared/providers/aws/machine-pool/user-data.ts';
import type { PoolDependencies } from './dependencies.ts';

type Writing = Pick<PoolDependencies, 'objects' | 'bootstrapObjects'>;

/** As many as there are versions of the launch template. */
const KEPT = 5;

const keyOf = ({ metadata }: AWSMachinePool) => ({ namespace: metadata.namespace ?? '', name: metadata.name });

const writeDown = ({ objects }: Writing, awsPool: AWSMachinePool, names: readonly string[]) =>
  objects.mutate(kinds.awsMachinePool, keyOf(awsPool), (current) => withGroupMemory(current, { objects: names }));

const deleteObject = async ({ bootstrapObjects }: Writing, awsPool: AWSMachinePool, name: string): Promise<void> => {
  const at = name.indexOf('/');
  const place = { bucket: name.slice(0, at), key: name.slice(at + 1) };
  if (isObjectOfPool(awsPool, place.key)) await bootstrapObjects.delete(place);
};

/** Puts the object that the user data of a version points to, after its place was written down. The oldest ones go. */
export const putUserData = async (
  deps: Writing,
  awsPool: AWSMachinePool,
  { object }: Pick<DesiredTemplate, 'object'>,
): Promise<void> => {
  if (!object) return;
  const name = `${object.bucket}/${object.key}`;
  const all = [...(readGroupMemory(awsPool).objects ?? []).filter((one) => one !== name), name];
  await writeDown(deps, awsPool, all);
  await deps.bootstrapObjects.put(object);
  const old = all.slice(0, Math.max(0, all.length - KEPT));
  if (old.length === 0) return;
  for (const one of old) await deleteObject(deps, awsPool, one);
  await writeDown(deps, awsPool, all.slice(old.length));
};

/** Deletes all objects of a pool. */
export const deleteUserData = async (
  deps: Writing,
  { awsPool, awsCluster }: { awsPool: AWSMachinePool; awsCluster: AWSCluster | null },
): Promise<void> => {
  for (const name of readGroupMemory(awsPool).objects ?? []) {
    try {
      await deleteObject(deps, awsPool, name);
    } catch (error) {
      // The user has said that they may stay where they may not be deleted.
      if (!awsCluster?.spec.s3Bucket?.bestEffortDeleteObjects || !isDenied(error)) throw error;
    }
  }
};
