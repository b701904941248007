import { describe, expect, it } from 'vitest';
import type { Service } from '../../../../plan/services/service.ts';
import type { ServicePlaces } from '../subnets.ts';
import { desiredClassic } from './desired.ts';
import type { DesiredClassic, ObservedClassic } from './model.ts';
import { planClassic } from './plan.ts';

const RED = { namespace: 'default', name: 'red' };
const subnet = (id: string, zone: string) => ({
  ...{ id, zone, tags: {}, vpcId: 'vpc-1', cidrBlock: '10.0.0.0/24', mapsPublicIp: false },
});
const PLACES: ServicePlaces = {
  vpcId: 'vpc-1',
  subnets: [subnet('subnet-a1', 'a'), subnet('subnet-a2', 'a'), subnet('subnet-b1', 'b'), subnet('subnet-c1', 'c')],
  routeTables: [],
  zoneTypes: new Map(),
};
const SERVICE: Service = {
  ...{ namespace: 'shop', name: 'web', uid: 'u-1', resourceVersion: '1', finalizers: [], isDeleted: false },
  ...{ type: 'LoadBalancer', loadBalancerIP: '', loadBalancerSourceRanges: [], sessionAffinity: 'None' },
  ...{ externalTrafficPolicy: 'Cluster', healthCheckNodePort: 0, ingress: [] },
  annotations: { 'service.beta.kubernetes.io/aws-load-balancer-security-groups': 'sg-1' },
  ports: [{ name: '', protocol: 'TCP', port: 80, nodePort: 30080 }],
};
const DESIRED: DesiredClassic = {
  ...desiredClassic({ cluster: RED, tags: {} }, SERVICE, ['i-1']),
  subnets: ['subnet-a1'],
};
const OBSERVED: ObservedClassic = {
  ...{ name: DESIRED.name, dnsName: 'host', vpcId: 'vpc-1', subnetIds: ['subnet-a1'], groupIds: ['sg-1'] },
  ...{ tags: DESIRED.tags, attributes: DESIRED.attributes, check: DESIRED.check, instanceIds: ['i-1'] },
  listeners: DESIRED.listeners.map((listener) => ({ ...listener, policies: [] })),
  backends: new Map(),
  policies: [],
};
const plan = (desired: Partial<DesiredClassic>, observed: Partial<ObservedClassic> = {}) =>
  planClassic(RED, { ...DESIRED, ...desired }, { classic: { ...OBSERVED, ...observed } }, PLACES).map((action) => {
    const subnetIds = 'subnetIds' in action ? ` ${action.subnetIds.join()}` : '';
    return `${action.type}${subnetIds}`;
  });

describe('the plan of a classic load balancer', () => {
  it('is empty if everything is as desired', () => {
    expect(plan({})).toEqual([]);
  });

  it.each<[string, string[], string[], string[]]>([
    ['new zones first', ['subnet-b1'], ['subnet-a1'], ['AttachSubnets subnet-b1', 'DetachSubnets subnet-a1']],
    [
      'the same zone last',
      ['subnet-a2', 'subnet-b1'],
      ['subnet-a1', 'subnet-c1'],
      ['AttachSubnets subnet-b1', 'DetachSubnets subnet-a1,subnet-c1', 'AttachSubnets subnet-a2'],
    ],
  ])('changes subnets in an order that AWS accepts: %s', (_, subnets, subnetIds, actions) => {
    expect(plan({ subnets }, { subnetIds })).toEqual(actions);
  });

  it('treats ARNs that differ only in capitals as equal', () => {
    const certificateArn = 'arn:aws:acm:us-east-1:1:certificate/a';
    const secure = { port: 443, protocol: 'SSL', instancePort: 30443, instanceProtocol: 'TCP', certificateArn };
    const shown = { ...secure, certificateArn: certificateArn.toUpperCase(), policies: [] };
    expect(plan({ listeners: [secure] }, { listeners: [shown] })).toEqual([]);
  });

  it('leaves the policies of others alone', () => {
    const backends = new Map([
      [30080, ['by-hand']],
      [30999, ['by-hand']],
    ]);
    expect(plan({}, { backends, policies: ['by-hand'] })).toEqual([]);
  });

  it('refuses to change a load balancer in another VPC', () => {
    expect(() => plan({}, { vpcId: 'vpc-2' })).toThrow('exists in VPC vpc-2, but the cluster is in vpc-1');
  });
});
