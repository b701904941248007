import { BootstrapInvalidError } from '../../../../bootstrap/invalid.ts';
import type { AWSCluster, AWSMachine, AWSMachinePool } from '../../../../kinds/index.ts';
import { FOLDERS } from '../bucket/desired.ts';

/** The entry in an AWSMachine's record with the location of its bootstrap data: `<bucket>/<key>`. */
const OBJECT_ANNOTATION = 'windlass.dev/bootstrap-object';

/** An object of S3. */
export interface ObjectPlace {
  bucket: string;
  key: string;
}

export interface BootstrapObject extends ObjectPlace {
  /** How long the machine may read it with a URL that anyone could use. If omitted, it reads with its role. */
  seconds?: number;
}

const UNITS: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 0.001 };
/** The maximum lifetime of a URL. */
const LONGEST_SECONDS = 7 * 24 * 3600;

/** Checked before the parts are searched for, because that would take quadratic time in a long row of digits. */
const DURATION = /^(?:\d+(?:\.\d+)?(?:h|ms|m|s))+$/;

/** A duration in Go's format, such as `1h30m`. */
const secondsOf = (duration: string): number => {
  const parts = DURATION.test(duration) ? [...duration.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s)/g)] : [];
  const seconds = parts.reduce((sum, [, number, unit = '']) => sum + Number(number) * (UNITS[unit] ?? 0), 0);
  if (seconds < 1 || seconds > LONGEST_SECONDS) {
    const problem = `"${duration}" is not a duration between 1s and 168h`;
    throw new BootstrapInvalidError('AWSCluster spec.s3Bucket.presignedURLDuration', problem);
  }
  return Math.floor(seconds);
};

const keyOf = ({ name, uid }: AWSMachine['metadata'], role: keyof typeof FOLDERS): string =>
  `${FOLDERS[role]}/${name}-${uid}`;

/**
 * Whether an object has the name under which the data of this AWSMachine are stored. The record of it can come from
 * fields that tenants write, and proves nothing; the uid in the name does.
 */
export const isObjectOf = ({ metadata }: AWSMachine, { key }: { key: string }): boolean =>
  (['controlPlane', 'node'] as const).some((role) => key === keyOf(metadata, role));

/** The location of a machine's data. Machines of several clusters may share a bucket, so the name contains the uid. */
export const bootstrapObject = (
  { spec }: AWSCluster,
  { metadata }: AWSMachine,
  role: keyof typeof FOLDERS,
): BootstrapObject => {
  if (!spec.s3Bucket) {
    throw new BootstrapInvalidError(
      'spec.ignition.storageType',
      'ClusterObjectStore needs a bucket: set spec.s3Bucket of the AWSCluster, or UnencryptedUserData here',
    );
  }
  const { name, presignedURLDuration: duration } = spec.s3Bucket;
  return {
    bucket: name,
    key: keyOf(metadata, role),
    seconds: duration === undefined ? undefined : secondsOf(duration),
  };
};

/**
 * The location of a pool's data: one object, which always contains the newest data, because its instances may be
 * launched at any time. Throws BootstrapInvalidError if there is no bucket, or if its URLs expire.
 */
export const poolObject = ({ spec }: AWSCluster, pool: AWSMachinePool): ObjectPlace => {
  const { s3Bucket: bucket } = spec;
  if (!bucket) {
    throw new BootstrapInvalidError(
      'spec.ignition.storageType',
      'ClusterObjectStore needs a bucket: set spec.s3Bucket of the AWSCluster, or UnencryptedUserData here',
    );
  }
  if (bucket.presignedURLDuration !== undefined) {
    throw new BootstrapInvalidError(
      'spec.ignition.storageType',
      'ClusterObjectStore needs an AWSCluster without spec.s3Bucket.presignedURLDuration: instances of a pool may be launched after such an address has expired; set UnencryptedUserData',
    );
  }
  return poolObjectIn(bucket.name, pool);
};

/** The location of a pool's data in a bucket. */
export const poolObjectIn = (bucket: string, { metadata }: AWSMachinePool): ObjectPlace => ({
  bucket,
  key: keyOf(metadata, 'node'),
});

/** The AWSMachine with the location of its data recorded. */
export const withObject = (machine: AWSMachine, { bucket, key }: BootstrapObject): AWSMachine => ({
  ...machine,
  metadata: {
    ...machine.metadata,
    annotations: { ...machine.metadata.annotations, [OBJECT_ANNOTATION]: `${bucket}/${key}` },
  },
});

/** The recorded location of a machine's data, if there is one. */
export const recordedObject = ({ metadata }: AWSMachine): { bucket: string; key: string } | undefined => {
  const [, bucket, key] = /^([^/]+)\/(.+)$/.exec(metadata.annotations?.[OBJECT_ANNOTATION] ?? '') ?? [];
  return bucket && key ? { bucket, key } : undefined;
};

/** The AWSMachine without that record, once the data are deleted. */
export const withoutObject = (machine: AWSMachine): AWSMachine => {
  const { [OBJECT_ANNOTATION]: _, ...annotations } = machine.metadata.annotations ?? {};
  return { ...machine, metadata: { ...machine.metadata, annotations } };
};
