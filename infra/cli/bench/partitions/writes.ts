/** Writes to one kind at a steady rate, by functions that do not share state. */
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
  /** The requested rate. */
  perSecond: number;
  /** The number of objects that one function writes at the same time. */
  together: number;
  /** The partition with the highest load, and its write units per second. */
  hottest: string;
  unitsPerSecond: number;
  /** The share of the writes that DynamoDB refused at the first attempt. */
  throttled: number;
}

export interface WriteLoad {
  client: DynamoDBDocumentClient;
  table: string;
  resource: ResourceId;
  /** The object of which copies with different names are written repeatedly. */
  object: KubeObject;
}

const SECONDS = 10;
const FUNCTIONS = 20;
const OBJECTS = 200;

const isThrottled = (error: unknown): boolean => error instanceof Error && error.name === 'ThrottlingException';

const most = (figures: readonly PartitionFigures[]): PartitionFigures | undefined =>
  figures.find(({ kind }) => kind === 'write');

/** Updates 200 objects for ten seconds. Only the rate advances the clock, so the computer's speed does not matter. */
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
