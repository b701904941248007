import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { BootstrapInvalidError } from '../../../bootstrap/invalid.ts';
import type { AWSCluster, AWSMachinePool } from '../../../kinds/index.ts';
import { FOLDERS } from '../plan/bucket/desired.ts';
import { ignitionStub, ignitionUserData } from '../plan/delivery/ignition.ts';
import { MAX_USER_DATA_BYTES } from '../plan/delivery/plan.ts';

const hashOf = (body: string): string => createHash('sha256').update(body).digest('hex').slice(0, 32);

/** Only what Ignition needs of a machine: pools have no field to compress user data. */
const options = ({ spec }: AWSMachinePool) => ({ ignition: spec?.ignition });

export interface PoolUserData {
  /** base64. */
  userData: string;
  /** What the user data points to; it has to be there before the version that names it. */
  object?: { bucket: string; key: string; body: string };
}

/**
 * Every later instance reads the same data, so that it lies in the launch template itself, as upstream: a secret that the
 * first machine deletes would be missing for the second. cloud-init unpacks what is compressed.
 */
const byCloudInit = (body: string): PoolUserData => {
  const plain = Buffer.from(body, 'utf8');
  if (plain.length <= MAX_USER_DATA_BYTES) return { userData: plain.toString('base64') };
  const packed = gzipSync(plain, { level: 9 });
  if (packed.length <= MAX_USER_DATA_BYTES) return { userData: packed.toString('base64') };
  throw new BootstrapInvalidError(
    'MachinePool spec.template.spec.bootstrap',
    `the bootstrap data has ${plain.length} bytes, ${packed.length} compressed, and EC2 accepts ${MAX_USER_DATA_BYTES}; shorten the files`,
  );
};

const prefixOf = ({ metadata: { name, uid } }: AWSMachinePool): string => `${FOLDERS.node}/${name}-${uid}/`;

/** Whether an object has a name under which the data of this very pool are put. */
export const isObjectOfPool = (pool: AWSMachinePool, key: string): boolean => key.startsWith(prefixOf(pool));

const byBucket = (body: string, pool: AWSMachinePool, { spec }: AWSCluster): PoolUserData => {
  const bucket = spec.s3Bucket;
  if (!bucket) {
    const message =
      'ClusterObjectStore needs a bucket: set spec.s3Bucket of the AWSCluster, or UnencryptedUserData here';
    throw new BootstrapInvalidError('spec.ignition.storageType', message);
  }
  if (bucket.presignedURLDuration !== undefined) {
    const message =
      'ClusterObjectStore cannot be used with AWSCluster spec.s3Bucket.presignedURLDuration: a pool starts instances after such an address has expired; use UnencryptedUserData';
    throw new BootstrapInvalidError('spec.ignition.storageType', message);
  }
  const key = `${prefixOf(pool)}${hashOf(body)}`;
  const userData = ignitionStub(`s3://${bucket.name}/${key}`, options(pool));
  return { userData, object: { bucket: bucket.name, key, body } };
};

/**
 * The user data of all instances of a pool. `format` is that of the data Secret. Throws BootstrapInvalidError, which names
 * the field, where EC2 or Ignition cannot take the data.
 */
export const poolUserData = (
  { body, format }: { body: string; format: string },
  pool: AWSMachinePool,
  awsCluster: AWSCluster,
): PoolUserData => {
  if (format !== 'ignition') return byCloudInit(body);
  // Upstream's default for pools: DefaultMachinePoolIgnitionStorageType.
  const storage = pool.spec?.ignition?.storageType ?? 'UnencryptedUserData';
  if (storage === 'UnencryptedUserData') return { userData: ignitionUserData(body, options(pool)) };
  return byBucket(body, pool, awsCluster);
};
