import { describe, expect, it } from 'vitest';
import { assignments } from './assignments.ts';
import { makeIndexWrites } from './index-writes.ts';

const text = (S: string) => ({ S });
const number = (N: number) => ({ N: String(N) });
const KEY = { pk: text('machines|default'), sk: text('one') };
const object = (version: number) => ({
  ...KEY,
  cluster: text('c'),
  resource: text('machines'),
  version: number(version),
  body: text('{}'),
});
const setVersion = (version: number, and = '') => ({
  Key: KEY,
  UpdateExpression: `SET #version = :version, body = :body${and}`,
  ExpressionAttributeNames: { '#version': 'version' },
  ExpressionAttributeValues: { ':version': number(version), ':body': text('{"a":1}') },
});

describe('the index writes of a request', () => {
  it('are one for each index that an item enters or leaves', () => {
    const writes = makeIndexWrites();
    expect(writes.count('PutItem', { Item: object(1) })).toBe(2); // byCluster, byVersion
    expect(writes.count('DeleteItem', { Key: KEY })).toBe(2);
    expect(writes.count('DeleteItem', { Key: KEY })).toBe(0);
    expect(writes.count('PutItem', { Item: { ...KEY, n: number(1) } })).toBe(0);
  });

  it('are two if an entry moves, and none if nothing changes in a keys-only index', () => {
    const writes = makeIndexWrites();
    writes.count('PutItem', { Item: object(1) });
    expect(writes.count('UpdateItem', setVersion(2))).toBe(2);
    expect(writes.count('UpdateItem', setVersion(2))).toBe(0);
    expect(writes.count('UpdateItem', { ...setVersion(3), UpdateExpression: 'SET n = n + :version' })).toBe(0);
  });

  it('are one for every change of an item in an index with all attributes', () => {
    const writes = makeIndexWrites();
    const Item = { ...KEY, dueShard: text('0'), dueAt: number(5), holder: text('a') };
    expect(writes.count('PutItem', { Item })).toBe(1);
    const change = { Key: KEY, UpdateExpression: 'SET holder = :h', ExpressionAttributeValues: { ':h': text('b') } };
    expect(writes.count('UpdateItem', change)).toBe(1);
    expect(writes.count('UpdateItem', { Key: KEY, UpdateExpression: 'REMOVE dueAt, dueShard' })).toBe(1);
    expect(writes.count('UpdateItem', change)).toBe(0);
  });
});

describe('the assignments of an update', () => {
  it('are parsed by name, with any spacing around commas', () => {
    const found = assignments({
      UpdateExpression: 'SET #a = :a, b = if_not_exists(b, :zero) + :one, c=:c REMOVE d, #e ADD f :one',
      ExpressionAttributeNames: { '#a': 'version', '#e': 'holder' },
      ExpressionAttributeValues: { ':a': number(1), ':c': text('c'), ':one': number(1), ':zero': number(0) },
    });
    expect(found).toEqual({
      version: number(1),
      b: { calculated: 'if_not_exists(b, :zero) + :one' },
      c: text('c'),
      d: undefined,
      holder: undefined,
      f: number(1),
    });
    expect(Object.keys(found)).toContain('d');
  });
});
