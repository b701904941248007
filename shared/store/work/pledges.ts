import { DeleteCommand, type DynamoDBDocumentClient, PutCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../../clock.ts';
import type { ResourceId } from '../../kube-api/object.ts';
import type { Random } from '../../random.ts';
import type { ClusterRef } from '../../work/payloads.ts';
import { type ItemKey, PLEDGES, pledgeKey } from '../keys.ts';
import { DUE } from '../table.ts';
import type { Touch } from './executions.ts';

/** The write of an object that affects clusters. */
export interface PledgedWrite extends ResourceId {
  namespace: string;
  name: string;
  /** The clusters that the object names itself, before and after the write. */
  clusterNames: readonly string[];
}

/**
 * The clusters for which passes must follow: either the clusters themselves, or a write whose clusters must be found.
 */
export type PledgeSubject = { clusters: readonly ClusterRef[] } | { write: PledgedWrite };

/** A pledge that has not been redeemed yet. */
export type OpenPledge = PledgeSubject & {
  id: string;
  /** Whether its process cannot still be running, so that it may be redeemed after its clusters are touched. */
  isAbandoned: boolean;
};

/**
 * A touch that must not be lost, recorded before the first write that requires it:
 *
 *   give ──► writes (facts, marks) ──► touch ──► redeem
 *
 * If the process crashes in between, the pledge remains, and the sweep touches the clusters. It is a separate item and
 * not a request in the cluster's item, because a pass that is running at that moment would count the request as its own
 * and finish it before the writes have happened.
 */
export interface PledgeStore {
  /** Returns the id with which it is redeemed. One write. */
  give(subject: PledgeSubject): Promise<string>;
  /** Called after the touch, or if nothing was written after all. Safe to repeat. One write. */
  redeem(id: string): Promise<void>;
  /** Pledges that are older than PLEDGE_GRACE_MS. Eventually consistent. */
  open(now: Date): Promise<OpenPledge[]>;
}

export interface PledgeDependencies {
  client: DynamoDBDocumentClient;
  /** Name of the table. */
  table: string;
  clock: Clock;
  random: Random;
}

/** By this time after a pledge was given, it is redeemed, or the sweep handles it. */
export const PLEDGE_GRACE_MS = 30_000;

/** No function runs longer than this (Lambda's limit), so nothing more is written under an older pledge. */
export const LONGEST_RUN_MS = 15 * 60_000;

type StoredPledge = ItemKey & PledgeSubject & { pledge: string; dueAt: number };

/** The pledges in the table. Open ones are in the index of due work, in a separate partition. */
export const createPledgeStore = ({ client, table, clock, random }: PledgeDependencies): PledgeStore => ({
  give: async (subject) => {
    const pledge = random.uuid();
    const dueAt = clock.now().getTime() + PLEDGE_GRACE_MS;
    const item = { ...pledgeKey(pledge), ...subject, pledge, dueShard: PLEDGES, dueAt };
    await client.send(new PutCommand({ TableName: table, Item: item }));
    return pledge;
  },

  redeem: async (id) => {
    await client.send(new DeleteCommand({ TableName: table, Key: pledgeKey(id) }));
  },

  open: async (now) => {
    const pages = paginateQuery(
      { client },
      {
        TableName: table,
        IndexName: DUE.name,
        KeyConditionExpression: 'dueShard = :shard AND dueAt <= :now',
        ExpressionAttributeValues: { ':shard': PLEDGES, ':now': now.getTime() },
      },
    );
    const found: OpenPledge[] = [];
    for await (const page of pages) {
      for (const { pledge, dueAt, ...stored } of (page.Items ?? []) as StoredPledge[]) {
        const isAbandoned = now.getTime() - dueAt >= LONGEST_RUN_MS - PLEDGE_GRACE_MS;
        const subject = 'write' in stored ? { write: stored.write } : { clusters: stored.clusters };
        found.push({ id: pledge, isAbandoned, ...subject });
      }
    }
    return found;
  },
});

/**
 * Runs `act`, which returns the clusters that need a pass because of its writes, and touches them. After a crash in
 * between, the sweep touches all of `clusters`. Nothing is recorded if `clusters` is empty. Throws the errors of `act`
 * and of the touch; the pledge is then left to the sweep.
 */
export const touchAfter = async (
  { pledges, touch }: { pledges: Pick<PledgeStore, 'give' | 'redeem'>; touch: Touch },
  clusters: readonly ClusterRef[],
  act: () => Promise<readonly ClusterRef[]>,
): Promise<void> => {
  const id = clusters.length > 0 ? await pledges.give({ clusters }) : undefined;
  for (const cluster of await act()) await touch(cluster, { isNews: true });
  if (id !== undefined) await pledges.redeem(id);
};
