import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMemoryOwnerIndex, type OwnerIndex } from '../kube-api/garbage/owner-index.ts';
import { createOwnerIndex } from './owner-index.ts';
import { startTestDatabase, type TestDatabase } from './test-table.ts';

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

  it('keeps marks of removed objects', async () => {
    const marks = ['a', 'b', 'c'].map((uid, at) => ({ ...machine, uid, at }));
    for (const mark of marks) await index().mark(mark);
    expect((await index().marks()).sort((x, y) => x.at - y.at)).toEqual(marks);
    for (const mark of marks) await index().unmark(mark);
    expect(await index().marks()).toEqual([]);
  });

  it('keeps a mark that a later write has made', async () => {
    const read = { ...machine, uid: 'a', at: 1 };
    await index().mark({ ...read, at: 2 });
    await index().unmark(read);
    expect((await index().marks()).map(({ at }) => at)).toEqual([2]);
    await index().unmark({ ...read, at: 2 });
    await index().unmark({ ...read, at: 2 });
    expect(await index().marks()).toEqual([]);
  });
});
