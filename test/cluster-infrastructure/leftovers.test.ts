import fc from 'fast-check';
import { expect, it } from 'vitest';
import { kinds } from '../../shared/kinds/index.ts';
import { buildTags, type Tags } from '../../shared/providers/aws/tags.ts';
import { makeExecutioner } from './faults.ts';
import { askForDeletion, create, remove } from './steps.ts';
import { makeUserNetwork, networkSpec, portrait } from './user-network.ts';
import { KEY, startWorld, type World } from './world.ts';

/** The possible contents of a user's VPC, and the events before the cluster is deleted. */
const story = fc.record({
  /** Tags that other programs, such as CAPA's controllers, have left on the user's resources. */
  natIsTaggedOurs: fc.boolean(),
  subnetTags: fc.subarray(['kubernetes.io/cluster/red', 'kubernetes.io/role/elb', 'team']),
  strangersGroup: fc.boolean(),
  overridesNode: fc.boolean(),
  hasBastion: fc.boolean(),
  /** The effect at which the creation crashes, if any. */
  diesAt: fc.option(fc.integer({ min: 1, max: 40 })),
});

type Story = typeof story extends fc.Arbitrary<infer T> ? T : never;

const furnish = async (world: World, told: Story) => {
  const user = await makeUserNetwork(world);
  const { ec2 } = world;
  const { vpcId, natGatewayId, publicIds } = user;
  const cluster = { namespace: 'default', name: 'red' };
  const ours: Tags = buildTags({ cluster, name: 'red-nat', role: 'common' });
  const { 'windlass.dev/cluster': _ours, ...upstreams } = ours;
  if (told.natIsTaggedOurs) await ec2.createTags({ resourceId: natGatewayId, tags: upstreams });
  const tags = Object.fromEntries(told.subnetTags.map((key) => [key, 'shared']));
  if (told.subnetTags.length > 0) await ec2.createTags({ resourceId: publicIds[0] ?? '', tags });
  const group = { vpcId, description: 'mine', tags: {} };
  if (told.strangersGroup) await ec2.createSecurityGroup({ ...group, name: 'theirs' });
  const node = told.overridesNode ? await ec2.createSecurityGroup({ ...group, name: 'mine-node' }) : undefined;
  await world.objects.mutate(kinds.awsCluster, KEY, (current) => ({
    ...current,
    spec: {
      ...current.spec,
      bastion: { enabled: told.hasBastion },
      network: { ...networkSpec(user), ...(node ? { securityGroupOverrides: { node } } : {}) },
    },
  }));
  return vpcId;
};

it('the deletion of a cluster leaves all resources of others unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(story, async (told) => {
      const world = await startWorld({ sshKeyName: '' });
      try {
        const vpcId = await furnish(world, told);
        const before = await portrait(world, vpcId);
        const executioner = makeExecutioner(told.diesAt ?? Number.POSITIVE_INFINITY, 'after');
        await create(world, executioner).catch(() => undefined);

        await askForDeletion(world);
        await remove(world);

        expect(await portrait(world, vpcId)).toEqual(before);
        expect(world.account.elbv2().loadBalancers.size).toBe(0);
        const live = ['pending', 'running', 'stopping', 'stopped'];
        expect(await world.ec2.describeBastions([{ name: 'instance-state-name', values: live }])).toEqual([]);
      } finally {
        await world.close();
      }
    }),
    { numRuns: Number(process.env.LEFTOVER_RUNS ?? 6), seed: 6, endOnFailure: true },
  );
});
