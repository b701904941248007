import { expect, it } from 'vitest';
import type { FunctionName } from '../../infra/bundle/entries.ts';
import { BY_CLUSTER } from '../../shared/store/table.ts';
import { roleOf } from './granted.ts';
import { judge } from './judge.ts';

/** The steps of these functions read a machine or a pool, and may have to list the infrastructure of its cluster. */
const READERS: readonly FunctionName[] = [
  'cluster-objects',
  'machine-objects',
  'machine-instance',
  'machine-target',
  'machine-node',
  'pool-objects',
  'pool-group',
  'hosts',
];

it.each(READERS)('%s may list the objects of one cluster', async (name) => {
  const resource = `arn:aws:dynamodb:us-east-1:000000000000:table/tableArn/index/${BY_CLUSTER.name}`;
  const question = { action: 'dynamodb:Query', resource, mutates: false, context: {} };
  expect((await judge(roleOf(name), question)).allowed).toBe(true);
});
