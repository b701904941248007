import { expect, it } from 'vitest';
import { createTargets, shareGroups, type Targets } from './elbv2-targets.ts';

it('the target groups of instances that are registered together are requested once, and again if one is gone', async () => {
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

it('a registration waits for an instance that is not running yet, and for nothing else', async () => {
  const registering = (message: string) => {
    const send = async () => {
      throw Object.assign(new Error(message), { name: 'InvalidTargetException', $metadata: {} });
    };
    const targets = createTargets({ send } as unknown as Parameters<typeof createTargets>[0]);
    return targets.register({ arn: 'arn', port: 6443, tags: {}, balancerTags: {} }, 'i-1');
  };

  expect(await registering("The following targets are not in a running state and cannot be registered: 'i-1'")).toBe(
    false,
  );
  await expect(registering("The following targets have no primary IPv6 address: 'i-1'")).rejects.toThrow('IPv6');
});
