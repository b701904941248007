import { describe, expect, it } from 'vitest';
import type { AWSClusterRoleIdentity } from '../../../../kinds/index.ts';
import { roleProblem, roleRequest } from './role-request.ts';

const ROLE = 'arn:aws:iam::111111111111:role/controllers.cluster-api-provider-aws.sigs.k8s.io';
const identity = (spec: object = {}, annotations?: Record<string, string>): AWSClusterRoleIdentity => ({
  apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
  kind: 'AWSClusterRoleIdentity',
  metadata: { name: 'spoke', ...(annotations ? { annotations } : {}) },
  spec: { roleARN: ROLE, ...spec },
});

describe('the request for a role', () => {
  it('contains all settings of the identity', () => {
    const spec = {
      sessionName: 'red',
      durationSeconds: 900,
      externalID: 'secret-handshake',
      inlinePolicy: '{}',
      policyARNs: ['arn:aws:iam::aws:policy/ReadOnlyAccess'],
    };
    const annotations = { 'windlass.dev/source-identity': 'ops', 'windlass.dev/session-tags': 'team=red, cost=1=2' };
    expect(roleRequest(identity(spec, annotations), false)).toEqual({
      RoleArn: ROLE,
      RoleSessionName: 'red',
      DurationSeconds: 900,
      ExternalId: 'secret-handshake',
      Policy: '{}',
      PolicyArns: [{ arn: 'arn:aws:iam::aws:policy/ReadOnlyAccess' }],
      SourceIdentity: 'ops',
      Tags: [
        { Key: 'team', Value: 'red' },
        { Key: 'cost', Value: '1=2' },
      ],
    });
  });

  it('has a default session name if the identity sets none', () => {
    expect(roleRequest(identity(), false)).toEqual({ RoleArn: ROLE, RoleSessionName: 'windlass-spoke' });
  });

  it('is limited to an hour if STS allows no more', () => {
    const long = identity({ durationSeconds: 43200 });
    expect(roleRequest(long, true).DurationSeconds).toBe(3600);
    expect(roleRequest(long, false).DurationSeconds).toBe(43200);
  });
});

describe('a role', () => {
  it('of another account requires an external id, or an annotation that waives it', () => {
    const waived = identity({}, { 'windlass.dev/without-external-id': 'true' });
    expect(roleProblem(identity(), '000000000000')).toContain('spec.externalID is missing');
    expect(roleProblem(identity({ externalID: 'x' }), '000000000000')).toBeUndefined();
    expect(roleProblem(waived, '000000000000')).toBeUndefined();
    expect(roleProblem(identity(), '111111111111')).toBeUndefined();
  });

  it('must have the ARN of a role', () => {
    const user = identity({ roleARN: 'arn:aws:iam::111111111111:user/red' });
    expect(roleProblem(user, '111111111111')).toContain('spec.roleARN "arn:aws:iam::111111111111:user/red"');
  });
});
