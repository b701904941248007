import { expect, it } from 'vitest';
import { shareGroups, type Targets } from './elbv2-targets.ts';

it('asks once for the target groups of instances that are registered together, and again when one is gone', async () => {
  const calls: string[] = [];
  let isGone = false;
  const marks = { tags: { 'windlass.dev/cluster': 'default/red' }, balancerTags: {} };
  const targets: Targets = {
    groupsOf: async (name) => {
      calls.push(name);
      return [{ arn: `arn-${calls.length}`, port: 6443, ...marks }];
    },
    register: async () => {
      if (isGone) throw Object.assign(new Error('gone'), { name: 'TargetGroupNotFoundException' });
      return true;
    },
    deregister: async () => {},
  };
  const shared = shareGroups(targets, { now: () => new Date(0) });
  const [[group] = []] = await Promise.all([shared.groupsOf('api'), shared.groupsOf('api')]);
  expect(calls).toEqual(['api']);
  isGone = true;
  await expect(shared.register(group ?? { arn: '', port: 0, ...marks }, 'i-1')).rejects.toThrow('gone');
  expect(await shared.groupsOf('api')).toMatchObject([{ arn: 'arn-2', port: 6443 }]);
});
