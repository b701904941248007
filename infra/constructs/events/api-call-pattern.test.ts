import { expect, it } from 'vitest';
import { matches } from '../../local/engines/events/pattern.ts';
import { apiCallPattern } from './api-call-pattern.ts';

const isSentOn = (stackName: string, roleName: string | undefined): boolean => {
  const { detailType, ...fields } = apiCallPattern(stackName);
  const sessionContext = { sessionIssuer: { type: 'Role', userName: roleName } };
  return matches(
    { ...fields, 'detail-type': detailType },
    {
      source: 'aws.ec2',
      'detail-type': 'AWS API Call via CloudTrail',
      detail: { eventName: 'CreateTags', userIdentity: roleName ? { sessionContext } : { type: 'IAMUser' } },
    },
  );
};

it.each([
  ['Windlass', undefined, true],
  ['Windlass', 'Admin', true],
  ['Windlass', 'WindlassAdmin', true],
  ['Windlass', 'Windlass-ClusterNetworkRole1B2C3D4E-u7Dt1VwbCyC1', false],
  // CloudFormation shortens the stack's name in role names, which are limited to 64 characters.
  ['Windlass-production-eu-central-1', 'Windlass-production-eu-ce-ClusterNetworkRole1B2C3D4-u7Dt1VwbCyC1', false],
  ['Windlass-production-eu-central-1', 'Windlass-production-eu-central-1-Role1B2C3D4E-u7Dt1VwbCyC1', false],
  ['Windlass-production-eu-central-1', 'Windlass-staging-ClusterNetworkRole1B2C3D4E-u7Dt1VwbCyC1', true],
])('in the stack %s, the rule forwards a call by the role %s: %s', (stackName, roleName, isSent) => {
  expect(isSentOn(stackName, roleName)).toBe(isSent);
});
