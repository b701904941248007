import { describe, expect, it } from 'vitest';
import type { AWSCluster } from '../../../../kinds/index.ts';
import { driftPoliciesOf, ON_DRIFT } from '../../../../kinds/rules/drift-policy.ts';
import type { NetworkAction, NetworkPlan } from '../../network/model.ts';
import type { IngressPermission } from '../../network/security-groups/model.ts';
import { adoptRules } from './adopt-rules.ts';
import { withholdDrift } from './withhold.ts';

const awsCluster = {
  metadata: { name: 'red' },
  spec: { network: { additionalNodeIngressRules: [{ description: 'a', protocol: 'udp', fromPort: 1, toPort: 1 }] } },
  status: { networkStatus: { securityGroups: { node: { id: 'sg-node' }, lb: { id: 'sg-lb' } } } },
} as unknown as AWSCluster;

const SSH: IngressPermission = { protocol: 'tcp', fromPort: 22, toPort: 22, source: '10.1.0.0/16' };

const revoke = (groupId: string, ...permissions: IngressPermission[]): NetworkAction => ({
  ...{ type: 'RevokeIngress', groupId, permissions },
});

describe('rules added by others', () => {
  it('are added to those of the user', () => {
    const change = adoptRules(revoke('sg-node', SSH, { ...SSH, source: 'sg-other' }), awsCluster);
    expect(change?.(awsCluster).spec.network?.additionalNodeIngressRules).toEqual([
      { description: 'a', protocol: 'udp', fromPort: 1, toPort: 1 },
      { description: '', protocol: 'tcp', fromPort: 22, toPort: 22, cidrBlocks: ['10.1.0.0/16'] },
      { description: '', protocol: 'tcp', fromPort: 22, toPort: 22, sourceSecurityGroupIds: ['sg-other'] },
    ]);
  });

  it.each([
    ['of a group that has no such field', revoke('sg-lb', SSH)],
    ['from a prefix list', revoke('sg-node', { ...SSH, source: 'pl-1' })],
    ['of all protocols', revoke('sg-node', { protocol: '-1', source: '10.1.0.0/16' })],
    [
      'that are missing',
      { type: 'AuthorizeIngress', groupId: 'sg-node', permissions: [SSH], tags: {} } as NetworkAction,
    ],
  ])('%s cannot be expressed, and are reported', (_, action) => {
    const withheld = withholdDrift<NetworkAction, NetworkPlan>(
      { actions: [action], waiting: [] },
      {
        kindOf: () => 'SecurityGroupRules',
        describe: () => 'changed',
        policies: driftPoliciesOf({ metadata: { name: 'red', annotations: { [ON_DRIFT]: 'Adopt' } } }),
        isSettled: () => true,
        adopt: (one) => adoptRules(one, awsCluster),
      },
    );
    expect(withheld).toMatchObject({ plan: { actions: [] }, drifts: [{ policy: 'Report' }], adoptions: [] });
  });
});
