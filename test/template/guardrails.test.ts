/** Requirements of organization policies for the stack's own resources. */
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { synthesizeFixture } from '../../infra/fixture-stack.ts';
import { LIMIT } from '../../shared/test-patience.ts';
import { resourcesOf } from './definitions.ts';

const KEY = 'arn:aws:kms:us-east-1:000000000000:key/01234567-89ab-cdef-0123-456789abcdef';

let strict: string;

beforeAll(() => {
  const context = {
    name: 'blue',
    hosts: 'true',
    rolePath: '/platform/windlass/',
    roleNamePrefix: 'acme-',
    logKeyArn: KEY,
    useFipsEndpoints: 'true',
    apiSourceRanges: '192.0.2.0/24,203.0.113.7/32',
    allFunctionsInVpc: 'true',
    functionSubnets: 'subnet-0123456789abcdef0',
    functionSecurityGroups: 'sg-0123456789abcdef0',
  };
  strict = synthesizeFixture({ context, nag: true });
}, LIMIT);

const properties = (type: string, outdir = strict) => resourcesOf(outdir, type).map(([, found]) => found);
const usual = (type: string) => properties(type, inject('outdir'));

describe('the guardrails of an organization', () => {
  it.each([
    ['AWS::IAM::Role', 'RoleName'],
    ['AWS::IAM::ManagedPolicy', 'ManagedPolicyName'],
  ])('may prescribe the path and the name of each %s, which is unique in all regions', (type, key) => {
    const names = properties(type).map(({ [key]: name }) => String(name));
    expect(names.length).toBeGreaterThan(1);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) {
      expect(name).toMatch(/^acme-Windlass-blue-[\w-]+-us-east-1$/);
      expect(name.replace('us-east-1', 'ap-southeast-1').length).toBeLessThanOrEqual(64);
    }
    expect(new Set(properties(type).map(({ Path }) => Path))).toEqual(new Set(['/platform/windlass/']));
    for (const one of usual(type)) expect([one.Path ?? '/', one[key]]).toEqual(['/', undefined]);
  });

  it('may require a key for every log group', () => {
    const keys = (groups: Record<string, unknown>[]) => new Set(groups.map(({ KmsKeyId }) => KmsKeyId));
    expect(keys(properties('AWS::Logs::LogGroup'))).toEqual(new Set([KEY]));
    expect(keys(usual('AWS::Logs::LogGroup'))).toEqual(new Set([undefined]));
  });

  it('may require FIPS endpoints for all functions, and that all of them are in a VPC', () => {
    const chosen = (functions: Record<string, unknown>[]) =>
      functions.map(({ Environment, VpcConfig }) => {
        const { AWS_USE_FIPS_ENDPOINT } = (Environment as { Variables: Record<string, string> }).Variables;
        return `${AWS_USE_FIPS_ENDPOINT} ${VpcConfig !== undefined}`;
      });
    expect(new Set(chosen(properties('AWS::Lambda::Function')))).toEqual(new Set(['true true']));
    expect(new Set(chosen(usual('AWS::Lambda::Function')))).toEqual(new Set(['undefined false']));
  });

  it('may restrict callers of the API to address ranges, while clusters may report from anywhere', () => {
    const invoke = { Action: 'execute-api:Invoke', Effect: 'Allow', Principal: { AWS: '*' } };
    const [policy] = properties('AWS::ApiGateway::RestApi').map(({ Policy }) => Policy) as { Statement: object[] }[];
    const Condition = { IpAddress: { 'aws:SourceIp': ['192.0.2.0/24', '203.0.113.7/32'] } };
    expect(policy?.Statement).toEqual([
      { ...invoke, Condition, Resource: 'execute-api:/*' },
      { ...invoke, Resource: 'execute-api:/*/POST/hooks/changes/*' },
    ]);
    expect(usual('AWS::ApiGateway::RestApi').map(({ Policy }) => Policy)).toEqual([undefined]);
  });
});
