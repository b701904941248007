import { buildTags, INTENT_TAG, type Tags } from '../../tags.ts';
import type { ObservedAddress } from '../addresses/model.ts';
import { desiredNetwork } from '../desired.ts';
import { newIntent } from '../intents.ts';
import type { ObservedNetwork } from '../model.ts';
import type { ObservedRouteTable } from '../route-tables/model.ts';
import type { ObservedNatGateway } from './model.ts';

/** For tests: a cluster with one private subnet in the zone of its public one, and what AWS shows of its network. */

export const CLUSTER = { namespace: 'default', name: 'red' };
export const NOW = new Date('2026-11-20T12:00:00Z');
export const LONG_AGO = newIntent(new Date('2026-11-20T11:00:00Z'), 'old');
export const MINUTES_AGO = newIntent(new Date('2026-11-20T11:56:00Z'), 'minutes');
export const JUST_NOW = newIntent(new Date('2026-11-20T11:59:50Z'), 'new');

export const tags = (name: string, extra: Tags = {}): Tags => ({
  ...buildTags({ cluster: CLUSTER, name: `red-${name}`, role: 'common' }),
  ...extra,
});

const subnet = (id: string, cidrBlock: string, isPublic: boolean) => ({
  spec: { id, cidrBlock, availabilityZone: 'a', isPublic },
  observed: { id, vpcId: 'vpc-1', zone: 'a', cidrBlock, mapsPublicIp: isPublic, tags: tags('subnet') },
});
export const PUBLIC = subnet('subnet-1', '10.0.0.0/17', true);
const SUBNETS = [PUBLIC, subnet('subnet-2', '10.0.128.0/17', false)];

export const DESIRED = desiredNetwork({
  cluster: CLUSTER,
  clusterUid: 'u-1',
  spec: { network: { vpc: { id: 'vpc-1' }, subnets: SUBNETS.map(({ spec }) => spec) } },
  natIps: [],
});

export const routeTable = (routes: ObservedRouteTable['routes'] = []): ObservedRouteTable => ({
  id: 'rtb-2',
  vpcId: 'vpc-1',
  isMain: false,
  tags: tags('rt'),
  routes,
  associations: [{ id: 'rtbassoc-2', subnetId: 'subnet-2' }],
});

export const address = (allocationId: string, changes: Partial<ObservedAddress> = {}): ObservedAddress => ({
  allocationId,
  publicIp: '198.51.100.1',
  isAssociated: false,
  tags: tags('eip-common', { [INTENT_TAG]: LONG_AGO }),
  ...changes,
});

export const gateway = (id: string, state: ObservedNatGateway['state']): ObservedNatGateway => ({
  id,
  vpcId: 'vpc-1',
  subnetId: 'subnet-1',
  state,
  allocationId: 'eipalloc-1',
  tags: tags('nat'),
  ...(state === 'failed' ? { failure: 'InternalError: no luck' } : {}),
});

export const observed = (changes: Partial<ObservedNetwork> = {}): ObservedNetwork => ({
  vpcs: [{ id: 'vpc-1', cidrBlock: '10.0.0.0/16', tags: tags('vpc') }],
  subnets: SUBNETS.map((one) => one.observed),
  internetGateways: [],
  routeTables: [routeTable()],
  natGateways: [],
  addresses: [],
  securityGroups: [],
  networkInterfaces: [],
  ...changes,
});

export const ROUTED = [routeTable([{ destination: '0.0.0.0/0', target: 'nat-1', isBlackhole: false }])];
export const IN_USE = address('eipalloc-1', { isAssociated: true });
export const inUseBy = (token: string): ObservedAddress => ({
  ...IN_USE,
  tags: { ...IN_USE.tags, [INTENT_TAG]: token },
});

/** The intent for a gateway with this address. */
export const named = (token: string): string => token.replace(/\w+$/, 'eipalloc-1');
