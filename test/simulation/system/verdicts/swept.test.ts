import { expect, it } from 'vitest';
import type { World } from '../world.ts';
import { sweepBreaches } from './swept.ts';

const worldOf = (found: readonly string[]): World => {
  const executions = [{ machineArn: 'arn:aws:states:us-east-1:0:stateMachine:Windlass-converge' }];
  const invoke = async (): Promise<void> => {
    for (const name of found) executions.push({ machineArn: `arn:aws:states:us-east-1:0:stateMachine:${name}` });
  };
  return { laptop: { runtime: { executions: () => [...executions], invoke } } } as unknown as World;
};

it('reports the executions that a sweep starts, and none before it', async () => {
  const sweep = (...found: string[]) => sweepBreaches(worldOf(found), 'create', async () => {});
  expect(await sweep()).toEqual([]);
  expect(await sweep('Windlass-converge', 'Windlass-converge-pool')).toEqual([
    'after "create", the sweep started Windlass-converge, Windlass-converge-pool',
  ]);
});
