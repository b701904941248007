import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMemoryOwnerIndex, type OwnerIndex } from '../../kube-api/garbage/owner-index.ts';
import { formerGarbageKey } from '../keys.ts';
import { startTestDatabase, type TestDatabase } from '../test-table.ts';
import { createOwnerIndex } from './owner-index.ts';

let database: TestDatabase;
const indexes: Record<string, OwnerIndex> = { memory: createMemoryOwnerIndex() };
beforeAll(async () => {
  database = await startTestDatabase();
  indexes.DynamoDB = createOwnerIndex({ client: database.client, table: await database.makeTable() });
});
afterAll(() => database.stop());

const secret = { group: '', plural: 'secrets', namespace: 'default', name: 'one' };
const machine = { group: 'cluster.x-k8s.io', plural: 'machines', namespace: 'default', name: 'one' };

describe.each(['memory', 'DynamoDB'])('the index of owners in %s', (name) => {
  const index = (): OwnerIndex => indexes[name] as OwnerIndex;

  it('keeps each link once, until it is removed', async () => {
    for (const place of [secret, machine, secret]) await index().link('u-1', place);
    await index().link('u-2', secret);
    expect(await index().dependents('u-1')).toEqual(expect.arrayContaining([secret, machine]));
    expect(await index().dependents('u-1')).toHaveLength(2);
    await index().unlink('u-1', secret);
    expect([await index().dependents('u-1'), await index().dependents('u-2')]).toEqual([[machine], [secret]]);
  });

  it('keeps a link that a later writer has created', async () => {
    const of = 'd-1';
    await index().link('u-3', secret, { of, based: 5 });
    await index().link('u-3', secret, { of, based: 4 });
    await index().unlink('u-3', secret, { of, based: 5 });
    await index().unlink('u-3', secret, { of: 'd-0', based: 9 });
    expect(await index().dependents('u-3')).toEqual([secret]);
    await index().unlink('u-3', secret, { of, based: 6 });
    expect(await index().dependents('u-3')).toEqual([]);
  });

  it('removes a link of version 0.1, which has no version', async () => {
    await index().link('u-4', secret);
    await index().unlink('u-4', secret, { of: 'd-1', based: 1 });
    expect(await index().dependents('u-4')).toEqual([]);
  });

  it('keeps marks of removed objects until they are unmarked', async () => {
    const marks = ['a', 'b', 'c'].map((uid, at) => ({ ...machine, uid, at }));
    for (const mark of marks) await index().mark(mark);
    expect((await index().marks()).sort((x, y) => x.at - y.at)).toEqual(marks);
    for (const mark of marks) await index().unmark(mark);
    expect(await index().marks()).toEqual([]);
  });

  it('keeps a mark that a later write has created', async () => {
    const read = { ...machine, uid: 'a', at: 1 };
    await index().mark({ ...read, at: 2 });
    await index().unmark(read);
    expect((await index().marks()).map(({ at }) => at)).toEqual([2]);
    await index().unmark({ ...read, at: 2 });
    await index().unmark({ ...read, at: 2 });
    expect(await index().marks()).toEqual([]);
  });
});

describe('many marks in DynamoDB', () => {
  const start = async () => {
    const table = await database.makeTable();
    return { table, index: createOwnerIndex({ client: database.client, table }) };
  };

  it('of one namespace are read only in part, and do not hide those of others', async () => {
    const { index } = await start();
    const mark = (namespace: string) => (_: unknown, at: number) =>
      index.mark({ ...machine, namespace, uid: `${namespace}-${at}`, at });
    for (let batch = 0; batch < 30; batch += 1)
      await Promise.all(Array.from({ length: 40 }, (_, position) => mark('evil')(_, 40 * batch + position)));
    await Promise.all(Array.from({ length: 8 }, mark('poor')));
    const counts = Map.groupBy(await index.marks(), ({ namespace }) => namespace);
    expect(counts.get('poor')).toHaveLength(8);
    expect(counts.get('evil')?.length).toBeLessThanOrEqual(1000);
  });

  it('of version 0.1 are read and removed', async () => {
    const { index, table } = await start();
    const item = { ...machine, uid: 'a|b', at: 1, name: 'n'.repeat(1000) };
    await database.client.send(new PutCommand({ TableName: table, Item: { ...formerGarbageKey('a|b'), ...item } }));
    const marks = await index.marks();
    expect(marks).toMatchObject([{ uid: 'a|b', isFormer: true, name: 'n'.repeat(254) }]);
    for (const mark of marks) await index.unmark(mark);
    expect(await index.marks()).toEqual([]);
  });
});
