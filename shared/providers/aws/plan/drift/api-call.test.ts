import { describe, expect, it } from 'vitest';
import type { AWSCluster, AWSClusterRoleIdentity } from '../../../../kinds/index.ts';
import { API_CALL, isConcernedBy, isSessionOf, readApiCall } from './api-call.ts';

const event = (requestParameters: object, others: object = {}) => ({
  'detail-type': API_CALL,
  detail: { eventName: 'Call', requestParameters, responseElements: null, ...others },
});

const awsCluster = {
  metadata: { name: 'red' },
  spec: { network: { vpc: { id: 'vpc-0123456789abcdef0' }, subnets: [{ id: 'subnet-0123456789abcdef0' }] } },
  status: {
    networkStatus: {
      securityGroups: { node: { id: 'sg-0123456789abcdef0' } },
      apiServerElb: { name: 'red-apiserver' },
    },
  },
} as unknown as AWSCluster;

describe('a call', () => {
  it.each([
    [{ groupId: 'sg-0123456789abcdef0', ipPermissions: { items: [{ ipProtocol: 'tcp' }] } }, true],
    [{ resourcesSet: { items: [{ resourceId: 'subnet-0123456789abcdef0' }] } }, true],
    [{ DeleteVpcEndpointsRequest: { VpcId: 'vpc-0123456789abcdef0' } }, true],
    [{ loadBalancerArn: 'arn:aws:elasticloadbalancing:r:1:loadbalancer/net/red-apiserver/50dc6c495c0c9188' }, true],
    [{ listenerArn: 'arn:aws:elasticloadbalancing:r:1:listener/net/red-apiserver/50dc6c495c0c9188/f2f7' }, true],
    [{ loadBalancerName: 'red-apiserver' }, true],
    [{ groupId: 'sg-00000000000000000' }, false],
    [{ loadBalancerName: 'red' }, false],
  ])('that names %j concerns the cluster that has recorded it: %s', (parameters, isConcerned) => {
    const call = readApiCall(event(parameters));
    expect(call && isConcernedBy(call, awsCluster)).toBe(isConcerned);
  });

  it.each([
    ['arn:aws:sts::222222222222:assumed-role/controllers/windlass-spoke', undefined, true],
    ['arn:aws:sts::222222222222:assumed-role/controllers/platform', 'platform', true],
    ['arn:aws-cn:sts::222222222222:assumed-role/controllers/platform', 'platform', true],
    ['arn:aws:sts::222222222222:assumed-role/controllers/windlass-spoke', 'platform', false],
    ['arn:aws:sts::222222222222:assumed-role/controllers/ann', undefined, false],
    ['arn:aws:sts::222222222222:assumed-role/windlass-spoke/ann', undefined, false],
    ['arn:aws:sts::222222222222:assumed-role/admins/windlass-spoke', undefined, false],
    ['arn:aws:sts::333333333333:assumed-role/controllers/windlass-spoke', undefined, false],
    ['arn:aws:iam::222222222222:user/windlass-spoke', undefined, false],
  ])('of %s is made by the identity "spoke" with the session name %s: %s', (arn, sessionName, isOwn) => {
    const spec = { roleARN: 'arn:aws:iam::222222222222:role/platform/controllers', sessionName };
    const call = readApiCall(event({ groupId: 'sg-0123456789abcdef0' }, { userIdentity: { arn } }));
    expect(call && isSessionOf(call, { metadata: { name: 'spoke' }, spec } as AWSClusterRoleIdentity)).toBe(isOwn);
  });

  it('that AWS refused names no resources, and another event is not a call', () => {
    const refused = event({ groupId: 'sg-0123456789abcdef0' }, { errorCode: 'Client.UnauthorizedOperation' });
    expect(readApiCall(refused)).toEqual({ name: 'Call', resources: [] });
    expect(readApiCall({ 'detail-type': 'EC2 Instance State-change Notification', detail: {} })).toBeUndefined();
  });
});
