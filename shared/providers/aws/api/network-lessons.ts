import type { IngressPermission, ObservedRouteTable, ObservedSubnet, ObservedVpc } from '../plan/network/model.ts';
import type { VpcNumbers } from '../plan/network/model-gateways.ts';
import type { Tags } from '../tags.ts';
import type { Filter } from './ec2-filter.ts';
import type { Ec2Network } from './ec2-network.ts';
import { attachedTo, inVpcs, isShown } from './network-filters.ts';
import type { Answers, Lessons } from './port-memory.ts';

/** What was made of a network need not be read to be known: EC2 has said yes, and nobody else is at work on it. */

type Known = Answers<Ec2Network>;

/** Reads of things with an id. */
type Listing = 'describeSubnets' | 'describeInternetGateways' | 'describeRouteTables' | 'describeSecurityGroups';
type Thing<R extends Listing> = Awaited<ReturnType<Ec2Network[R]>>[number];

/** Lists of `read` as EC2 would give them with the thing. */
const add = <R extends Listing>(known: Known, read: R, thing: Thing<R>): void => {
  const revision = (filters: readonly Filter[]) => {
    const isThere = isShown(filters, thing);
    if (isThere === undefined) return undefined;
    return (things: Thing<R>[]) => [...things.filter(({ id }) => id !== thing.id), ...(isThere ? [thing] : [])];
  };
  (known.revise as (read: R, by: typeof revision) => void)(read, revision);
};

const change = <R extends Listing>(known: Known, read: R, id: string, to: (thing: Thing<R>) => Thing<R>): void => {
  const revision = () => (things: Thing<R>[]) => things.map((thing) => (thing.id === id ? to(thing) : thing));
  (known.revise as (read: R, by: typeof revision) => void)(read, revision);
};

const listVpc = (known: Known, vpc: ObservedVpc): void =>
  known.revise('describeVpcs', (filters) => {
    const isThere = isShown(filters, { vpcId: vpc.id, tags: vpc.tags });
    if (isThere === undefined) return undefined;
    return (vpcs) => (isThere ? [...vpcs.filter(({ id }) => id !== vpc.id), vpc] : vpcs);
  });

/** Of a new VPC nothing but its main route table and its default security group is there, and DNS as EC2 sets it. */
const learnVpc = (known: Known, id: string, { cidrBlock, ipamPool, ipv6, tags }: VpcNumbers & { tags: Tags }): void => {
  // Which numbers it got of a pool, EC2 says by and by.
  if (ipamPool || ipv6) known.forget('describeVpcs');
  else listVpc(known, { id, cidrBlock: cidrBlock ?? '', secondary: [], ipv6: [], tags });
  known.teach('describeVpcDns', [id], { dnsHostnames: false, dnsSupport: true });
  known.teach('describeSubnets', [inVpcs([id])], []);
  known.teach('describeNatGateways', [inVpcs([id])], []);
  known.teach('describeInternetGateways', [attachedTo([id])], []);
};

interface NewSubnet {
  vpcId: string;
  zone: string;
  cidrBlock: string;
  ipv6CidrBlock?: string;
  tags: Tags;
}

const newSubnet = (id: string, { vpcId, zone, cidrBlock, ipv6CidrBlock, tags }: NewSubnet): ObservedSubnet => ({
  ...{ id, vpcId, zone, cidrBlock, tags },
  ...(ipv6CidrBlock ? { ipv6CidrBlock } : {}),
  ...{ assignsIpv6: false, hasDns64: false, mapsPublicIp: false },
});

const withRoute = (table: ObservedRouteTable, destination: string, target: string): ObservedRouteTable => ({
  ...table,
  routes: [
    ...table.routes.filter((route) => route.destination !== destination),
    { destination, target, isBlackhole: false },
  ],
});

const withRules = (before: readonly IngressPermission[], added: readonly IngressPermission[]) => {
  const keys = new Set(added.map((one) => JSON.stringify(one)));
  return [...before.filter((one) => !keys.has(JSON.stringify(one))), ...added];
};

/** For writes whose whole effect on what is read follows from what they were asked for. */
export const NETWORK_LESSONS: Lessons<Ec2Network> = {
  createVpc: learnVpc,
  modifyVpcAttribute: (known, _, { vpcId, attribute }) => {
    const on = attribute === 'EnableDnsHostnames' ? { dnsHostnames: true } : { dnsSupport: true };
    known.revise('describeVpcDns', (id) => (dns) => (id === vpcId ? { ...dns, ...on } : dns));
  },
  createSubnet: (known, id, input) => add(known, 'describeSubnets', newSubnet(id, input)),
  mapPublicIpOnLaunch: (known, _, subnetId) =>
    change(known, 'describeSubnets', subnetId, (subnet) => ({ ...subnet, mapsPublicIp: true })),
  createInternetGateway: (known, id, tags) => add(known, 'describeInternetGateways', { id, tags }),
  attachInternetGateway: (known, _, { internetGatewayId, vpcId }) =>
    change(known, 'describeInternetGateways', internetGatewayId, (gateway) => ({ ...gateway, vpcId })),
  createRouteTable: (known, id, { vpcId, tags }) =>
    add(known, 'describeRouteTables', { id, vpcId, tags, isMain: false, routes: [], associations: [] }),
  associateRouteTable: (known, id, { routeTableId, subnetId }) =>
    change(known, 'describeRouteTables', routeTableId, (table) => ({
      ...table,
      associations: [...table.associations.filter((one) => one.id !== id), { id, subnetId }],
    })),
  createRoute: (known, _, { routeTableId, destination, target }) =>
    change(known, 'describeRouteTables', routeTableId, (table) => withRoute(table, destination, target)),
  createSecurityGroup: (known, id, { vpcId, name, tags }) => {
    const rules = { ingress: [], hasEgress: true, egressGroupIds: [] };
    add(known, 'describeSecurityGroups', { id, vpcId, name, tags, ...rules });
  },
  authorizeIngress: (known, _, groupId, permissions) =>
    change(known, 'describeSecurityGroups', groupId, (group) => ({
      ...group,
      ingress: withRules(group.ingress, permissions),
    })),
};
