/** Returns the table to an earlier state while clusters are running, like a restore from a backup. */
import {
  type AttributeValue,
  BatchWriteItemCommand,
  DynamoDBClient,
  ListTablesCommand,
  paginateScan,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { clusterWorkKey } from '../../../shared/store/keys.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import { CORE, conditionOf, startTestLaptop, type TestLaptop } from '../../end-to-end/laptop.ts';

type Item = Record<string, AttributeValue>;

/** More reconciliations than a sweep or two would request. */
const PASSES = 8;
const BATCH = 25;

let laptop: TestLaptop;
let client: DynamoDBClient;
let table: string;
beforeAll(async () => {
  laptop = await startTestLaptop();
  const { awsUrl: endpoint, region, credentials } = laptop.access;
  client = new DynamoDBClient({ endpoint, region, credentials });
  table = (await client.send(new ListTablesCommand({}))).TableNames?.[0] ?? '';
  await laptop.applyFile('examples/quickstart.yaml', single);
}, LIMIT);
afterAll(async () => {
  client?.destroy();
  await laptop?.stop();
});

/** One control plane machine and one worker. */
const single = (object: KubeObject): KubeObject => {
  const { spec } = object as { spec?: object };
  const isReplicated = ['KubeadmControlPlane', 'MachineDeployment'].includes(object.kind);
  return isReplicated ? ({ ...object, spec: { ...spec, replicas: 1 } } as KubeObject) : object;
};

const items = async (): Promise<Item[]> => {
  const found: Item[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName: table, ConsistentRead: true }))
    found.push(...Items);
  return found;
};

const keyOf = ({ pk, sk }: Item): Item => ({ pk: pk as AttributeValue, sk: sk as AttributeValue });

const write = async (requests: readonly WriteRequest[]): Promise<void> => {
  for (let at = 0; at < requests.length; at += BATCH) {
    const RequestItems = { [table]: requests.slice(at, at + BATCH) };
    expect((await client.send(new BatchWriteItemCommand({ RequestItems }))).UnprocessedItems ?? {}).toEqual({});
  }
};

const goBackTo = async (state: readonly Item[]): Promise<void> => {
  await write((await items()).map((item) => ({ DeleteRequest: { Key: keyOf(item) } })));
  await write(state.map((Item) => ({ PutRequest: { Item } })));
};

/** The work item of the cluster among these items. */
const workItem = (uid: string, state: readonly Item[]): Item | undefined => {
  const { pk, sk } = clusterWorkKey('default', 'quickstart', uid);
  return state.find((item) => item.pk?.S === pk && item.sk?.S === sk);
};

/** The number of the last requested reconciliation; undefined while one is running or requested. */
const settledNumber = (item: Item | undefined): number | undefined =>
  item && item.holder === undefined && item.wanted?.N === item.done?.N ? Number(item.wanted?.N) : undefined;

const clusterUid = async (): Promise<string> => (await laptop.cluster('quickstart'))?.metadata.uid ?? '';

/** Waits until no reconciliation is running or requested. Returns the number of the last one. */
const settled = async (): Promise<number> => {
  const uid = await clusterUid();
  return laptop.until('a settled cluster', async () => settledNumber(workItem(uid, await items())));
};

/**
 * Waits until no reconciliation is running or requested and no lease is held. Returns all items and the number of the
 * last reconciliation. After a restore, the holder of a lease would no longer exist, and others would have to wait
 * until the lease expires, as after a crash.
 */
const settledItems = async (): Promise<{ number: number; state: Item[] }> => {
  const uid = await clusterUid();
  return laptop.until('a settled table', async () => {
    const state = await items();
    if (state.some(({ holder }) => holder !== undefined)) return false;
    const number = settledNumber(workItem(uid, state));
    // While the items are read, a late report may request a reconciliation.
    const isSame = number !== undefined && number === settledNumber(workItem(uid, await items()));
    return isSame && { number, state };
  });
};

const merge = (path: string, patch: object) =>
  laptop.api.send('PATCH', `${CORE}/${path}`, patch, 'application/merge-patch+json');

const available = (workers: number) =>
  laptop.until(`${workers} available workers`, async () => {
    const machines = await laptop.machines('quickstart');
    const isWhole = machines.length === 1 + workers;
    return isWhole && machines.every((machine) => conditionOf(machine, 'Available')?.status === 'True');
  });

describe('a table that was restored to an earlier state', () => {
  it('gets its next pass at once, although the names of executions repeat', async () => {
    await available(1);
    const { number: before, state: backup } = await settledItems();
    for (let pass = 0; pass < PASSES; pass += 1) {
      await merge('clusters/quickstart', { metadata: { annotations: { 'windlass.dev/test': String(pass) } } });
      await settled();
    }
    expect(await settled()).toBeGreaterThanOrEqual(before + PASSES);

    await goBackTo(backup);
    expect(await settled()).toBe(before);
    await merge('machinedeployments/quickstart-md-0', { spec: { replicas: 2 } });
    await available(2);
    expect(await settled()).toBeGreaterThan(before + PASSES);
  });
});
