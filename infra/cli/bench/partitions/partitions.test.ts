/** The limits of partitions, with dynalite, which counts units like DynamoDB. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { kinds } from '../../../../shared/kinds/index.ts';
import { startTestDatabase, type TestDatabase } from '../../../../shared/store/test-table.ts';
import { makePartitionLimits } from './limits.ts';
import { makePartitionsOf } from './partitions-of.ts';
import { measureWrites } from './writes.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());

it('refuse a request to an exhausted partition until enough time has passed', () => {
  let now = 0;
  const limits = makePartitionLimits({ now: () => new Date(now) });
  limits.admit('write', ['a', 'b']);
  limits.charge('write', 'a', 1_500);
  expect(() => limits.admit('write', ['b', 'a'])).toThrow(/partition a/);
  limits.admit('write', ['b']);
  limits.admit('read', ['a']);
  now = 501;
  limits.admit('write', ['a']);
  expect(limits.figures()[0]).toEqual({ partition: 'a', kind: 'write', units: 1_500 });
});

it('find the partitions of a request, including those of indexes by what was written before', () => {
  const partitionsOf = makePartitionsOf();
  const Key = { pk: '/pods|default', sk: 'a' };
  partitionsOf('PutCommand', { Item: { ...Key, resource: '/pods', version: 2 } });
  const update = { Key, UpdateExpression: 'SET version = :v', ExpressionAttributeValues: { ':v': 3 } };
  expect(partitionsOf('UpdateCommand', update)).toEqual({
    kind: 'write',
    own: '/pods|default',
    indexes: new Map([['byVersion', 'byVersion /pods']]),
  });
  const query = {
    IndexName: 'byVersion',
    KeyConditionExpression: '#resource = :resource AND version > :version',
    ExpressionAttributeNames: { '#resource': 'resource' },
    ExpressionAttributeValues: { ':resource': '/pods', ':version': 1 },
  };
  expect(partitionsOf('QueryCommand', query)).toEqual({
    kind: 'read',
    own: undefined,
    indexes: new Map([['byVersion', 'byVersion /pods']]),
  });
  expect(() => partitionsOf('BatchGetCommand', {})).toThrow('BatchGetCommand');
});

it('report the counter of a kind as the partition that writes of this kind use most', async () => {
  const object = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', metadata: { name: 'm', namespace: 'n' } };
  const load = { client: database.client, table: await database.makeTable(), object, resource: kinds.machine };
  const slow = await measureWrites(load, { perSecond: 20, together: 1 });
  expect(slow).toMatchObject({ hottest: 'counter|cluster.x-k8s.io/machines', throttled: 0 });
  expect(slow.unitsPerSecond).toBeGreaterThan(20);
  expect(slow.unitsPerSecond).toBeLessThan(1_000);
});
