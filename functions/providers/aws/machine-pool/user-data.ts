import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { isGzip } from '../../../../shared/bootstrap/gzip.ts';
import { RefusedError } from '../../../../shared/errors.ts';
import { type AWSCluster, type AWSMachinePool, kinds, type Machine } from '../../../../shared/kinds/index.ts';
import { keyOf } from '../../../../shared/kube-api/object.ts';
import { withGroupMemory } from '../../../../shared/providers/aws/machine-pool/memory.ts';
import { withStoring } from '../../../../shared/providers/aws/machine-pool/stored-data.ts';
import { ignitionStub, ignitionUserData } from '../../../../shared/providers/aws/plan/delivery/ignition.ts';
import { type ObjectPlace, poolObject } from '../../../../shared/providers/aws/plan/delivery/object.ts';
import { MAX_USER_DATA_BYTES } from '../../../../shared/providers/aws/plan/delivery/plan.ts';
import { readBootstrapData } from '../instance/bootstrap-data.ts';
import type { PoolDependencies } from './dependencies.ts';
import { poolRecorder } from './reasons.ts';

const DIGEST_CHARACTERS = 16;

/**
 * The user data of a launch template, in base64. All instances of a group start with the same data, at any time, so it
 * cannot be in a store from which the first instance deletes it. As with Cluster API's AWS provider, it is in the
 * template itself. It contains a token with which machines join, but no key of the cluster.
 */
export const userDataOf = async (
  deps: PoolDependencies,
  machine: Machine,
  { awsPool, awsCluster }: { awsPool: AWSMachinePool; awsCluster: AWSCluster },
): Promise<string> => {
  const { body, format } = await readBootstrapData(deps, machine);
  if (format === 'ignition') return ignitionOf(deps, body, awsPool, awsCluster);
  // cloud-init decompresses it.
  const data = body.length > MAX_USER_DATA_BYTES && !isGzip(body) ? gzipSync(body, { level: 9 }) : body;
  return limited(Buffer.from(data).toString('base64'));
};

/**
 * Ignition decompresses nothing. Data that is too long for user data is stored in the cluster's bucket, from which each
 * instance reads it.
 */
const ignitionOf = async (
  deps: PoolDependencies,
  body: Uint8Array,
  awsPool: AWSMachinePool,
  awsCluster: AWSCluster,
): Promise<string> => {
  const spec = { ignition: awsPool.spec?.ignition };
  // The default of upstream for pools (DefaultMachinePoolIgnitionStorageType); with `spec.ignition`, the default is the
  // bucket.
  const isDirect = spec.ignition === undefined || spec.ignition.storageType === 'UnencryptedUserData';
  if (isDirect) return limited(ignitionUserData(body, spec));
  const place = poolObject(awsCluster, awsPool);
  const storedData = createHash('sha256').update(body).digest('hex').slice(0, DIGEST_CHARACTERS);
  const storing = { ...place, storedData, now: deps.clock.now() };
  const isNew = withStoring(awsPool, storing) !== undefined;
  if (isNew)
    await deps.objects.mutate(kinds.awsMachinePool, keyOf(awsPool), (current) => withStoring(current, storing));
  await deps.bootstrapObjects.put({ ...place, body });
  if (isNew) await reportStored(deps, awsPool, place, storedData);
  return ignitionStub(`s3://${place.bucket}/${place.key}`, spec);
};

/** Records and reports newly stored data. Each full check stores it again, so that a deleted object is restored. */
const reportStored = async (
  deps: PoolDependencies,
  awsPool: AWSMachinePool,
  { bucket, key }: ObjectPlace,
  storedData: string,
): Promise<void> => {
  await deps.objects.mutate(kinds.awsMachinePool, keyOf(awsPool), (current) =>
    withGroupMemory(current, { storedData, storingAt: undefined }),
  );
  const message = `Stored the bootstrap data as s3://${bucket}/${key}`;
  await poolRecorder(deps).normal(awsPool, 'SuccessfulPutBootstrapObject', message);
};

const limited = (userData: string): string => {
  const bytes = Buffer.byteLength(userData, 'base64');
  if (bytes > MAX_USER_DATA_BYTES)
    throw new RefusedError(
      `spec.template.spec.bootstrap of the MachinePool: the bootstrap data has ${bytes} bytes, EC2 accepts ${MAX_USER_DATA_BYTES}; shorten the files`,
    );
  return userData;
};
