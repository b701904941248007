/** Writes of one kind at a steady rate, by functions of which each knows only its own. */
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { NO_SEALER } from '../../../../functions/no-sealer.ts';
import type { KubeObject, ResourceId } from '../../../../shared/kube-api/object.ts';
import type { Storage } from '../../../../shared/kube-api/storage/storage.ts';
import { seededRandom } from '../../../../shared/seeded-random.ts';
import { createDynamoStorage } from '../../../../shared/store/objects/dynamo-storage.ts';
import { limitedClient } from './limited-client.ts';
import { makePartitionLimits, type PartitionFigures, withoutRefusals } from './limits.ts';
import { makePartitionsOf } from './partitions-of.ts';

export interface WriteFigures {
  /** Asked for. */
  perSecond: number;
  /** How many one function writes at the same time. */
  together: number;
  /** The partition that took most, with its write units a second. */
  hottest: string;
  unitsPerSecond: number;
  /** Share of the writes that DynamoDB refused at the first attempt. */
  throttled: number;
}

export interface WriteLoad {
  client: DynamoDBDocumentClient;
  table: string;
  resource: ResourceId;
  /** What is written again and again: copies of it, under names of their own. */
  object: KubeObject;
}

const SECONDS = 10;
const FUNCTIONS = 20;
const OBJECTS = 200;

const isThrottled = (error: unknown): boolean => error instanceof Error && error.name === 'ThrottlingException';

const most = (figures: readonly PartitionFigures[]): PartitionFigures | undefined =>
  figures.find(({ kind }) => kind === 'write');

/** Updates of 200 objects for ten seconds, on a clock that only the rate moves: the computer's speed does not count. */
export const measureWrites = async (
  { client, table, object, resource }: WriteLoad,
  { perSecond, together }: Pick<WriteFigures, 'perSecond' | 'together'>,
): Promise<WriteFigures> => {
  let milliseconds = Date.UTC(2030, 0, 1);
  const clock = { now: () => new Date(milliseconds), sleep: async () => {} };
  const storageOver = (through: DynamoDBDocumentClient, seed: number): Storage =>
    createDynamoStorage({ client: through, table, clock, random: seededRandom(seed), sealer: NO_SEALER });

  const partitionsOf = makePartitionsOf();
  const making = withoutRefusals(makePartitionLimits(clock));
  const unlimited = storageOver(limitedClient(client, making, partitionsOf), 0);
  const run = `${perSecond}-${together}`;
  const objects: KubeObject[] = [];
  for (let index = 0; index < OBJECTS; index += 1) {
    const metadata = { ...object.metadata, name: `written-${run}-${index}`, resourceVersion: undefined };
    objects.push(await unlimited.create(resource, { ...object, metadata }, undefined));
  }

  const limits = makePartitionLimits(clock);
  const limited = limitedClient(client, limits, partitionsOf);
  const functions = Array.from({ length: FUNCTIONS }, (_, index) => storageOver(limited, index + 1));
  let refusals = 0;
  const write = async (storage: Storage, number: number): Promise<void> => {
    const index = number % OBJECTS;
    const annotations = { 'windlass.dev/written': String(number) };
    const current = objects[index] as KubeObject;
    try {
      const next = { ...current, metadata: { ...current.metadata, annotations } };
      objects[index] = await storage.update(resource, next, undefined);
    } catch (error) {
      if (!isThrottled(error)) throw error;
      refusals += 1;
    }
  };
  const writes = perSecond * SECONDS;
  for (let first = 0; first < writes; first += together) {
    const storage = functions[(first / together) % FUNCTIONS] as Storage;
    await Promise.all(Array.from({ length: together }, (_, index) => write(storage, first + index)));
    milliseconds += (1000 * together) / perSecond;
  }
  const hottest = most(limits.figures());
  return {
    ...{ perSecond, together, hottest: hottest?.partition ?? '', throttled: refusals / writes },
    unitsPerSecond: (hottest?.units ?? 0) / SECONDS,
  };
};
