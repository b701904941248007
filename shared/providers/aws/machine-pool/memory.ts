import { tryJson } from '../../../decode/json.ts';
import type { AWSMachinePool } from '../../../kinds/index.ts';
import type { ObjectPlace } from '../plan/delivery/object.ts';
import type { RememberedImage } from '../plan/launch/remembered-images.ts';

/** The entry in an AWSMachinePool's record with data about its group. */
const GROUP = 'windlass.dev/group';

export interface GroupMemory {
  /** The name of a group and a template that were taken over from Cluster API's AWS provider. */
  name?: string;
  /** The last check that found nothing to do: its input (settledInputs), and its time in milliseconds since 1970. */
  settled?: { inputs: string; at: number };
  /** Keys of the tags that users have set. */
  tagKeys?: readonly string[];
  /** The lookup of its image, and the result. */
  image?: RememberedImage;
  /** Whether the pool has requested the group's warm pool. */
  warmPool?: boolean;
  /**
   * RFC 3339: when the creation of the group was last requested, unless Auto Scaling has refused it. Removed when the
   * group of a deleted pool is found.
   */
  createdAt?: string | undefined;
  /**
   * RFC 3339: when the creation of the launch template was last requested, unless EC2 has refused it. Removed when the
   * template of a deleted pool is deleted.
   */
  templateRequestedAt?: string | undefined;
  /** A digest of the bootstrap data in the cluster's bucket. */
  storedData?: string;
  /** Where the bootstrap data was stored, recorded beforehand. */
  storedIn?: readonly ObjectPlace[] | undefined;
  /** RFC 3339: when a request to store new bootstrap data was made; removed when it is answered. */
  storingAt?: string | undefined;
}

/** The recorded data about the group; empty for a new pool, and for one that comes from another installation. */
export const readGroupMemory = ({ metadata }: Pick<AWSMachinePool, 'metadata'>): GroupMemory =>
  (tryJson(metadata.annotations?.[GROUP] ?? '{}') as GroupMemory | undefined) ?? {};

/** The pool with `change` in its record; undefined if it is already recorded. */
export const withGroupMemory = (pool: AWSMachinePool, change: GroupMemory): AWSMachinePool | undefined => {
  const text = JSON.stringify({ ...readGroupMemory(pool), ...change });
  if (pool.metadata.annotations?.[GROUP] === text) return undefined;
  return { ...pool, metadata: { ...pool.metadata, annotations: { ...pool.metadata.annotations, [GROUP]: text } } };
};
