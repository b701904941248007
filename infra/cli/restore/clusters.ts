/** The Clusters in a table, read without the Secrets and without a function of the installation. */
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../../../shared/clock.ts';
import { type Cluster, KINDS, kinds } from '../../../shared/kinds/index.ts';
import { createRegistry } from '../../../shared/kube-api/registry/create-registry.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import { createObjectClient } from '../../../shared/kube-api/storage/object-client.ts';
import type { Random } from '../../../shared/random.ts';
import { createDynamoStorage } from '../../../shared/store/objects/dynamo-storage.ts';
import type { Sealer } from '../../../shared/store/objects/sealer.ts';

const MANAGER = 'windlass-restore';

const refuse = (): Promise<never> => Promise.reject(new Error('a restoration reads no Secrets'));
const NO_SECRETS: Sealer = { seal: refuse, open: refuse };

export interface TableObjects {
  client: DynamoDBDocumentClient;
  table: string;
  clock: Clock;
  random: Random;
}

/** The objects of a table. */
export const objectsOf = (access: TableObjects): ObjectClient => {
  const storage = createDynamoStorage({ ...access, sealer: NO_SECRETS });
  const registry = createRegistry({ resources: KINDS, storage, clock: access.clock, random: access.random });
  return createObjectClient(registry, MANAGER);
};

/** `<namespace>/<name>`. */
export const nameOf = ({ metadata }: Cluster): string => `${metadata.namespace}/${metadata.name}`;

/**
 * The names of Clusters that the former table contains and the restored one does not, in order: they were created
 * later.
 */
export const newerClusters = async (restored: TableObjects, former: string): Promise<string[]> => {
  const listOf = (access: TableObjects) => objectsOf(access).list<Cluster>(kinds.cluster);
  const [known, all] = await Promise.all([listOf(restored), listOf({ ...restored, table: former })]);
  const uids = new Set(known.map(({ metadata }) => metadata.uid));
  return all
    .filter(({ metadata }) => !uids.has(metadata.uid))
    .map(nameOf)
    .sort();
};
