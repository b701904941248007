import { createHash } from 'node:crypto';
import type { Place } from '../kube-api/garbage/owner-index.ts';
import type { ResourceId } from '../kube-api/object.ts';

/**
 * The keys of everything in the table. An object's partition is `<group>/<plural>|<namespace>`; the partitions of other
 * items have no `/` before their first `|`, so that they can never be equal to an object's.
 */
export interface ItemKey {
  pk: string;
  sk: string;
}

/** `<group>/<plural>`; the core group is the empty string, so Secrets are `/secrets`. */
export const resourceKey = ({ group, plural }: ResourceId): string => `${group}/${plural}`;

/** The partition of one resource type in one namespace; cluster-scoped objects live in the empty namespace. */
export const objectPartition = (resource: ResourceId, namespace: string): string =>
  `${resourceKey(resource)}|${namespace}`;

export const objectKey = (resource: ResourceId, namespace: string, name: string): ItemKey => ({
  pk: objectPartition(resource, namespace),
  sk: name,
});

/** The resource type of the Namespace objects. Their names are the namespaces that a list over all of them reads. */
export const NAMESPACES: ResourceId = { group: '', plural: 'namespaces' };

export const COUNTER_PREFIX = 'counter|';

/** The counter that gives one resource type its resourceVersions. */
export const counterKey = (resource: ResourceId): ItemKey => ({
  pk: `${COUNTER_PREFIX}${resourceKey(resource)}`,
  sk: 'counter',
});

/** The resource type to which a counter's partition belongs. */
export const resourceOfCounter = (pk: string): ResourceId => {
  const [group = '', plural = ''] = pk.slice(COUNTER_PREFIX.length).split('/');
  return { group, plural };
};

/** Work and leases of one cluster name share a partition, so that one query finds a cluster's machines in work. */
const workPartition = (namespace: string, clusterName: string): string => `work|${namespace}/${clusterName}`;

/**
 * The key contains the uid, because a cluster that was deleted and created again under the same name has separate work.
 */
export const clusterWorkKey = (namespace: string, clusterName: string, uid: string): ItemKey => ({
  pk: workPartition(namespace, clusterName),
  sk: `cluster|${uid}`,
});

export const MACHINE_LEASE_PREFIX = 'machine|';

export const machineLeaseKey = (namespace: string, clusterName: string, uid: string): ItemKey => ({
  pk: workPartition(namespace, clusterName),
  sk: `${MACHINE_LEASE_PREFIX}${uid}`,
});

/** Next to the leases of machines, because they are read together. */
export const nodeWatchKey = (namespace: string, clusterName: string, clusterUid: string): ItemKey => ({
  pk: workPartition(namespace, clusterName),
  sk: `${MACHINE_LEASE_PREFIX}watch|${clusterUid}`,
});

/** Unfinished work is spread over this many partitions of the index `due`, so that none of them becomes hot. */
export const DUE_SHARDS = 8;

export const dueShard = (shard: number): string => `due|${shard}`;

/** The shard of one cluster. It never changes, and clusters are spread evenly. */
export const dueShardOf = (uid: string): string =>
  dueShard(createHash('sha256').update(uid).digest().readUInt32BE(0) % DUE_SHARDS);

/** The key of the number of objects of a kind in a namespace, if a quota limits them. */
export const quotaKey = (namespace: string, resource: ResourceId): ItemKey => ({
  pk: `quota|${namespace}`,
  sk: resourceKey(resource),
});

/** The partition of the sweeps' most recent observations of all nodes, an item for each part. */
export const BRAKE_PARTITION = 'brake';

export const brakeKey = (part: number): ItemKey => ({ pk: BRAKE_PARTITION, sk: String(part) });

/** The key of the time at which a bucket's next token is free; AWS limits calls with these buckets. */
export const turnsKey = (owner: string, bucket: string): ItemKey => ({ pk: `turns|${owner}`, sk: bucket });

/** The partition of the slots of one pool of watches. */
export const watchPool = (pool: string): string => `watches|${pool}`;

/** The partition of the index `due` with the pledges of touches (pledges.ts). */
export const PLEDGES = 'pledges';

export const pledgeKey = (id: string): ItemKey => ({ pk: `pledge|${id}`, sk: 'pledge' });

/** The partition of the links from one owner to everything that may depend on it. */
export const ownerPartition = (uid: string): string => `owner|${uid}`;

export const linkKey = (ownerUid: string, place: Place): ItemKey => ({
  pk: ownerPartition(ownerUid),
  sk: `${objectPartition(place, place.namespace)}|${place.name}`,
});

/** Marks of removed objects are spread over this many partitions, all of which the sweep reads. */
const GARBAGE_SHARDS = 4;

export const garbagePartitions = (): string[] =>
  Array.from({ length: GARBAGE_SHARDS }, (_, shard) => `garbage|${shard}`);

/** The key of an object's mark. Marks of the same namespace are adjacent, so that a read can skip the rest of them. */
export const garbageKey = ({ uid, namespace }: { uid: string; namespace: string }): ItemKey => ({
  ...formerGarbageKey(uid),
  sk: `${namespace}|${uid}`,
});

/** A key that sorts after all marks of a namespace. */
export const afterMarksOf = (namespace: string): string => `${namespace}|\uffff`;

/** The key under which version 0.1 wrote marks. */
export const formerGarbageKey = (uid: string): ItemKey => ({
  pk: `garbage|${createHash('sha256').update(uid).digest().readUInt32BE(0) % GARBAGE_SHARDS}`,
  sk: uid,
});

export const RECORD_PREFIX = 'record|';

/** The records of all objects of a namespace share a partition, so that one query finds those whose objects are gone. */
export const recordPartition = (namespace: string): string => `${RECORD_PREFIX}${namespace}`;

/**
 * The key contains the uid, because an object that was deleted and created again under the same name has a separate
 * record.
 */
export const recordKey = (namespace: string, uid: string): ItemKey => ({ pk: recordPartition(namespace), sk: uid });

/** The key of the reporter that may report changes of a cluster, by the uid in the address of the reports. */
export const reporterKey = (clusterUid: string): ItemKey => ({ pk: `reporter|${clusterUid}`, sk: 'reporter' });
