import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { ClusterRef } from '../../work/payloads.ts';
import { isAccepted } from '../conditional-write.ts';
import { reporterKey } from '../keys.ts';

/** Who may report changes of a cluster, and how often that has triggered a pass. Times are milliseconds since 1970. */
export interface Reporter {
  cluster: ClusterRef;
  /** SHA-256 of the token in hexadecimal form. */
  digest: string;
  /** When a report last triggered a pass. */
  lastAt?: number;
  /** When the budget for passes is full again. */
  fullAt?: number;
}

/**
 * Reporters of changes, with one item of the table for each cluster whose API servers report. The API does not serve
 * them, so only the controllers can write them. They are removed with the work of their cluster (WorkStore.remove).
 */
export interface ReporterStore {
  /** Strongly consistent; one read. */
  get(clusterUid: string): Promise<Reporter | undefined>;
  /** Makes the token with this digest the cluster's only valid one. The budget is kept. */
  trust(cluster: ClusterRef, digest: string): Promise<void>;
  /**
   * Records that a report triggers a pass. False if another report has done so since `seen` was read, or if the token
   * was replaced.
   */
  admit(seen: Reporter, next: Required<Pick<Reporter, 'lastAt' | 'fullAt'>>): Promise<boolean>;
}

interface StoredReporter extends ClusterRef, Omit<Reporter, 'cluster'> {}

export const createReporterStore = ({
  client,
  table: TableName,
}: {
  client: DynamoDBDocumentClient;
  /** Name of the table. */
  table: string;
}): ReporterStore => ({
  get: async (clusterUid) => {
    const { Item } = await client.send(
      new GetCommand({ TableName, Key: reporterKey(clusterUid), ConsistentRead: true }),
    );
    if (!Item) return undefined;
    const { namespace, name, uid, digest, lastAt, fullAt } = Item as StoredReporter;
    return { cluster: { namespace, name, uid }, digest, lastAt, fullAt };
  },

  trust: async ({ namespace, name, uid }, digest) => {
    await client.send(
      new UpdateCommand({
        TableName,
        Key: reporterKey(uid),
        UpdateExpression: 'SET namespace = :namespace, #name = :name, uid = :uid, digest = :digest',
        ExpressionAttributeNames: { '#name': 'name' },
        ExpressionAttributeValues: { ':namespace': namespace, ':name': name, ':uid': uid, ':digest': digest },
      }),
    );
  },

  admit: ({ cluster, digest, lastAt }, next) =>
    isAccepted(
      client.send(
        new UpdateCommand({
          TableName,
          Key: reporterKey(cluster.uid),
          UpdateExpression: 'SET lastAt = :at, fullAt = :fullAt',
          ConditionExpression: `digest = :digest AND ${lastAt === undefined ? 'attribute_not_exists(lastAt)' : 'lastAt = :before'}`,
          ExpressionAttributeValues: {
            ':digest': digest,
            ':at': next.lastAt,
            ':fullAt': next.fullAt,
            ...(lastAt === undefined ? {} : { ':before': lastAt }),
          },
        }),
      ),
    ),
});
