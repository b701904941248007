/** The tags of security group rules, which EC2 gives them only if the caller may tag them. */
import { afterEach, expect, it } from 'vitest';
import { ownershipTag, ROLE_TAG } from '../../shared/providers/aws/tags.ts';
import { create } from './steps.ts';
import { KEY, startWorld, type World } from './world.ts';

let world: World;
afterEach(() => world.close());

const begin = async () => {
  world = await startWorld({ additionalTags: { 'cost-center': '7' } });
};

const ingress = () =>
  world.account
    .ec2()
    .securityGroupRules.all()
    .filter(({ isEgress, groupId }) => !isEgress && world.account.ec2().securityGroups.get(groupId).name !== 'default');

it('the tags of security group rules are those of their group', async () => {
  await begin();
  await create(world);

  const tags = ingress().map((rule) => Object.fromEntries(rule.tags));
  expect(tags.length).toBeGreaterThan(5);
  for (const one of tags) expect(one).toMatchObject({ 'cost-center': '7', [ownershipTag(KEY.name)]: 'owned' });
  expect(new Set(tags.map((one) => one[ROLE_TAG]))).toContain('controlplane');
});

it('the tags of security group rules are omitted if the role may not set them', async () => {
  await begin();
  const code = 'UnauthorizedOperation';
  world.account.failNext('ec2', 'AuthorizeSecurityGroupIngress', { code, status: 403 });
  expect(await create(world)).toBe(true);

  const bare = ingress().filter(({ tags }) => tags.size === 0);
  expect(bare.length).toBeGreaterThan(0);
  expect(new Set(bare.map(({ groupId }) => groupId)).size).toBe(1);
});
