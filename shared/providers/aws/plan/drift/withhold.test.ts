import { describe, expect, it } from 'vitest';
import type { AWSCluster } from '../../../../kinds/index.ts';
import { driftPoliciesOf, ON_DRIFT } from '../../../../kinds/rules/drift-policy.ts';
import type { NetworkAction, NetworkPlan } from '../../network/model.ts';
import { describeNetworkDrift, driftKindOfNetwork } from './network.ts';
import { digestOf, SETTLED_ANNOTATION, settledBy, withSettled } from './settled.ts';
import { withholdDrift } from './withhold.ts';

const rule = { protocol: 'tcp', fromPort: 22, toPort: 22, source: '0.0.0.0/0' };
const ACTIONS: NetworkAction[] = [
  { type: 'RevokeIngress', groupId: 'sg-1', permissions: [rule] },
  { type: 'SetDefaultRoute', routeTableId: 'rtb-1', target: 'nat-1', replaces: true },
];
const PLAN: NetworkPlan = { actions: ACTIONS, waiting: [] };

const withhold = (annotation: string, isSettled = true) =>
  withholdDrift(PLAN, {
    kindOf: driftKindOfNetwork,
    describe: describeNetworkDrift,
    policies: driftPoliciesOf({ metadata: { name: 'red', annotations: { [ON_DRIFT]: annotation } } }),
    isSettled: () => isSettled,
  });

describe('a plan for resources that were complete', () => {
  it('is carried out, and reports what drifted', () => {
    const { plan, drifts } = withhold('');
    expect(plan.actions).toEqual(ACTIONS);
    expect(drifts.map(({ kind, policy, message }) => `${kind} ${policy}: ${message}`)).toEqual([
      'SecurityGroupRules Repair: security group sg-1 admits traffic that is not in the spec: tcp 22 from 0.0.0.0/0',
      'Route Repair: the default route of route table rtb-1 does not lead to nat-1',
    ]);
  });

  it('omits the repair of drift that is only reported', () => {
    expect(withhold('Route=Report').plan.actions).toEqual([ACTIONS[0]]);
    expect(withhold('Report').plan.actions).toEqual([]);
    expect(withhold('Report').drifts).toHaveLength(2);
  });
});

it('a plan for resources that were never complete is not drift, whatever the policy', () => {
  expect(withhold('Report', false)).toEqual({ plan: PLAN, drifts: [], adoptions: [] });
});

describe('the record of a complete state', () => {
  const awsCluster = (settled = ''): AWSCluster =>
    ({ metadata: { name: 'red', annotations: { [SETTLED_ANNOTATION]: settled } } }) as unknown as AWSCluster;
  const wishes = { network: digestOf({ cidr: '10.0.0.0/16' }), securityGroups: digestOf([]) };

  it('applies to the desired state of that time', () => {
    const settled = withSettled(awsCluster('network=other,loadBalancer=1'), wishes);
    expect(settled.metadata.annotations?.[SETTLED_ANNOTATION]).toContain('loadBalancer=1');
    expect(settledBy(settled, wishes, 'network')('Route')).toBe(true);
    expect(settledBy(settled, { ...wishes, securityGroups: digestOf(['more']) }, 'network')('SecurityGroupRules')).toBe(
      false,
    );
    expect(settledBy(awsCluster(), wishes, 'network')('Route')).toBe(false);
  });

  it('has no effect if no desired state is recorded', () => {
    expect(settledBy(awsCluster('loadBalancer=1'), wishes, 'loadBalancer')('Listener')).toBe(false);
  });

  it('is written once', () => {
    const settled = withSettled(awsCluster(), wishes);
    expect(withSettled(settled, wishes)).toBe(settled);
  });
});
