import { describe, expect, it } from 'vitest';
import type { AWSClusterSpec } from '../../../../kinds/aws-cluster/schema.ts';
import { desiredNetwork, namedIds } from '../desired.ts';
import type { ObservedNetwork } from '../model.ts';
import { planNetwork } from '../plan.ts';
import { planSecurityGroups } from './plan.ts';

const CLUSTER = { namespace: 'default', name: 'red' };
const RULE = { description: 'x', protocol: 'tcp', fromPort: 6443, toPort: 6443 } as const;

const situation = (spec: AWSClusterSpec) => {
  const desired = desiredNetwork({ cluster: CLUSTER, clusterUid: 'u-1', spec, natIps: [] });
  const securityGroups = desired.securityGroups.map(({ role, name, tags }) => {
    return { id: `sg-${role}`, vpcId: 'vpc-1', name, tags, ingress: [], egressGroupIds: [] };
  });
  const nothing = { subnets: [], internetGateways: [], routeTables: [], natGateways: [], addresses: [] };
  const vpcs = [{ id: 'vpc-1', cidrBlock: '10.0.0.0/16', tags: {} }];
  const observed: ObservedNetwork = { ...nothing, vpcs, securityGroups, networkInterfaces: [] };
  return { desired, observed, intents: {}, now: new Date(0) };
};

const secondary = (source: object) => ({
  network: { vpc: { id: 'vpc-1' } },
  secondaryControlPlaneLoadBalancer: { name: 'inside', ingressRules: [{ ...RULE, ...source }] },
});

describe('a source of a rule of the second load balancer', () => {
  const field = 'spec.secondaryControlPlaneLoadBalancer.ingressRules[0]';

  it('is checked before anything is created', () => {
    const problemFor = (source: object) => planNetwork(situation(secondary(source))).problem?.message;

    expect(problemFor({ sourceSecurityGroupRoles: ['bastion'] })).toBe(
      `${field}.sourceSecurityGroupRoles[0] is bastion: there is no bastion (spec.bastion.enabled)`,
    );
    expect(problemFor({ sourceSecurityGroupIds: ['sg-1'] })).toBe(
      `${field}.sourceSecurityGroupIds[0] names security group sg-1, which does not exist`,
    );
  });

  it('is looked up in EC2', () => {
    expect(namedIds(secondary({ sourceSecurityGroupIds: ['sg-1'] })).securityGroups).toEqual(['sg-1']);
  });
});

describe('the plan of security groups', () => {
  it('reports a role without a security group, and keeps the rules of the other groups', () => {
    const { problem, actions } = planSecurityGroups(
      situation(secondary({ sourceSecurityGroupRoles: ['bastion'] })),
      'vpc-1',
    );

    expect(problem?.message).toBe('a rule of red-apiserver-lb is for the role bastion, which has no security group');
    expect(actions.flatMap((action) => ('groupId' in action ? action.groupId : []))).toEqual([
      'sg-controlplane',
      'sg-node',
    ]);
  });

  it('has no rules for a group that is yet to be created', () => {
    const { observed, ...rest } = situation({ network: { vpc: { id: 'vpc-1' } } });
    const securityGroups = observed.securityGroups.filter(({ name }) => name !== 'red-node');

    const plan = planSecurityGroups({ ...rest, observed: { ...observed, securityGroups } }, 'vpc-1');

    expect(plan.problem).toBeUndefined();
    expect(plan.waiting).toEqual([]);
    expect(plan.actions.map(({ type }) => type)).toContain('CreateSecurityGroup');
  });
});
