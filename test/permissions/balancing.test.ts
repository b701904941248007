import { expect, it } from 'vitest';
import { FUNCTION_NAMES } from '../../infra/bundle/entries.ts';
import { readByBalancing } from './balancing.ts';
import { roleOf } from './granted.ts';
import { judge } from './judge.ts';

const PREFIX = 'elasticloadbalancing:';

it.each(FUNCTION_NAMES)('the role of %s lets Elastic Load Balancing read in EC2 what its calls need', async (name) => {
  const role = roleOf(name);
  const granted = role.statements.flatMap(({ actions }) => actions).filter((action) => action.startsWith(PREFIX));
  const needed = new Set(granted.flatMap((action) => readByBalancing(action.slice(PREFIX.length))));
  const denied: string[] = [];
  for (const action of needed) {
    const { allowed } = await judge(role, { action, resource: '*', context: {}, mutates: false });
    if (!allowed) denied.push(action);
  }
  expect(denied).toEqual([]);
});
