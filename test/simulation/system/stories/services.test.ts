import { expect, it } from 'vitest';
import { createAccount } from '../../../../infra/local/account.ts';
import { addVpc } from '../../../../infra/local/engines/ec2/network/vpcs.ts';
import type { SecurityGroupRule } from '../../../../infra/local/engines/ec2/records.ts';
import type { ClassicLoadBalancer } from '../../../../infra/local/engines/elb/state.ts';
import { node } from '../../../../infra/local/machines/workload-cluster/kinds.ts';
import type { Service } from '../../../../infra/local/machines/workload-cluster/service-object.ts';
import { makeHandClock, makeSeededRandom } from '../../../../infra/local/test-aws.ts';
import { cidrOf } from '../../../../shared/cidr.ts';
import type { World } from '../world.ts';
import { serviceOf, unmetByDuties } from './services.ts';

const INSTANCE = 'i-0123456789abcdef0';
const BLOCK = '192.168.0.0/24';
const ROLE = ['sigs.k8s.io/cluster-api-provider-aws/role', 'service'] as const;

/** A Service whose load balancer exists. */
const balanced = (): Service => {
  const { metadata, ...rest } = serviceOf('web', true);
  const status = { loadBalancer: { ingress: [{ hostname: 'web.example' }] } };
  return { ...rest, metadata: { ...metadata, uid: 'u', finalizers: ['f'] }, status };
};

/** A cluster with one node, and all resources in the account that the Service and the pods on the node need. */
const whole = () => {
  const account = createAccount({ clock: makeHandClock(), random: makeSeededRandom('a') });
  const ec2 = account.ec2();
  addVpc(ec2, cidrOf('10.0.0.0/16'), false);
  const [table] = ec2.routeTables.all();
  table?.tags.set('cluster', 'owned');
  table?.routes.push({ destination: BLOCK, target: { kind: 'instance', id: INSTANCE } });
  const [group] = ec2.securityGroups.all();
  group?.tags.set(...ROLE);
  const description = 'windlass.dev/load-balancer=au';
  ec2.securityGroupRules.add({ id: 'sgr-1', groupId: group?.id, description, tags: new Map() } as SecurityGroupRule);
  const listeners = new Map([[80, {}]]);
  const balancer = { name: 'au', dnsName: 'web.example', listeners, instances: new Set([INSTANCE]) };
  account.elb().loadBalancers.set('au', { ...balancer, tags: new Map([ROLE]) } as unknown as ClassicLoadBalancer);
  const nodes = [{ metadata: { name: 'a' }, spec: { providerID: `aws:///a/${INSTANCE}`, podCIDRs: [BLOCK] } }];
  const services = [balanced()];
  const list = async (kind: unknown) => (kind === node ? nodes : services);
  const world = { account, laptop: { clusters: () => [{ objects: { list } }] } } as unknown as World;
  return { account, ec2, table, listeners, balancer, nodes, services, world };
};

type Whole = ReturnType<typeof whole>;

it('finds nothing if the account has what the Services and the nodes need', async () => {
  expect(await unmetByDuties(whole().world)).toEqual([]);
});

const ROUTE = /^the route rtb-\w+ 192\.168\.0\.0\/24 i-0123456789abcdef0 is/.source;

it.each<[string, (given: Whole) => void, RegExp]>([
  [
    'a missing load balancer',
    ({ account }) => account.elb().loadBalancers.clear(),
    /^Service web has no load balancer$/,
  ],
  ['a missing listener', ({ listeners }) => listeners.clear(), /^Service web has listeners for $/],
  ['a missing target', ({ balancer }) => balancer.instances.clear(), /^Service web has other targets$/],
  ['missing rules', ({ ec2 }) => ec2.securityGroupRules.remove('sgr-1'), /^Service web has no rules$/],
  ['an earlier address', ({ services }) => void Object.assign(services[0] ?? {}, { status: {} }), /does not name/],
  [
    'a Service in deletion',
    ({ services }) => void Object.assign(services[0]?.metadata ?? {}, { deletionTimestamp: 'a' }),
    /still being deleted/,
  ],
  [
    'a Service that wants no load balancer',
    ({ services }) => void Object.assign(services[0]?.spec ?? {}, { type: 'ClusterIP' }),
    /^Service web still has its finalizer$/,
  ],
  ['a load balancer that nothing needs', ({ services }) => services.splice(0), /^load balancer au is left$/],
  ['rules that nothing needs', ({ services }) => services.splice(0), /^rules of au are left$/],
  [
    'a group that nothing needs',
    ({ account }) => account.elb().loadBalancers.clear(),
    /^1 security groups are there for 0/,
  ],
  ['a missing route', ({ table }) => table?.routes.splice(0), new RegExp(`${ROUTE} missing$`)],
  ['a route that nothing needs', ({ nodes }) => nodes.splice(0), new RegExp(`${ROUTE} left$`)],
])('reports %s', async (_, change, problem) => {
  const given = whole();
  change(given);
  expect(await unmetByDuties(given.world)).toContainEqual(expect.stringMatching(problem));
});
