import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { bundleFunctions } from '../../../infra/bundle/bundle.ts';
import { ENTRIES } from '../../../infra/bundle/entries.ts';
import { REACHING } from '../../../infra/constructs/workflow/attachment.ts';
import { synthesizeFixture } from '../../../infra/fixture-stack.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import { READ_BY_QUOTAS, readByBalancing } from '../../permissions/balancing.ts';
import { resourcesOf } from '../../template/definitions.ts';

/**
 * Tests that a role allows exactly what the function's bundle calls. The calls are read from esbuild's metadata: the
 * SDK has one module per operation, and esbuild drops those that are not used. This does not apply to DynamoDB and KMS,
 * because the Encryption SDK includes their whole clients.
 */
const CLIENTS: Readonly<Record<string, string>> = {
  'client-auto-scaling': 'autoscaling',
  'client-ec2': 'ec2',
  'client-elastic-load-balancing': 'elasticloadbalancing',
  'client-elastic-load-balancing-v2': 'elasticloadbalancing',
  'client-secrets-manager': 'secretsmanager',
  'client-ssm': 'ssm',
  'client-iam': 'iam',
  'client-s3': 's3',
  'client-service-quotas': 'servicequotas',
  'client-sts': 'sts',
};
const SERVICES = Object.values(CLIENTS);

/**
 * Permissions that AWS checks without a separate call: for roles that are passed to a service, and for service-linked
 * roles.
 */
const HANDED_OVER = ['iam:PassRole', 'iam:CreateServiceLinkedRole'];

/** Permissions that AWS requires in addition to that for the call itself. */
const IMPLIED: Readonly<Record<string, readonly string[]>> = {
  'cluster-network': [READ_BY_QUOTAS],
  'cluster-load-balancer': ['ec2:CreateTags', 'elasticloadbalancing:AddTags', 's3:TagResource'],
  'cluster-workload': ['ec2:CreateTags'],
  // Auto Scaling requires the permissions for launches.
  'pool-group': ['ec2:CreateTags', 'ec2:RunInstances'],
  'machine-instance': ['ec2:CreateTags', 'secretsmanager:TagResource', 'ssm:AddTagsToResource'],
};

/** Operations that a function's bundle includes but never calls. */
const NEVER_CALLED: Readonly<Record<string, readonly string[]>> = {
  // The client itself creates sessions for S3 Express buckets.
  'cluster-load-balancer': ['s3:CreateSession'],
  'cluster-workload': ['ec2:RevokeSecurityGroupEgress'],
  drift: [
    'ec2:DescribeAvailabilityZones',
    'ec2:DescribeNetworkInterfaces',
    'ec2:DescribeIpamPools',
    's3:CreateSession',
  ],
  'machine-instance': ['s3:CreateSession'],
  'pool-group': ['s3:GetObject', 's3:CreateSession'],
  'machine-objects': [
    'secretsmanager:CreateSecret',
    'ssm:PutParameter',
    's3:PutObject',
    's3:GetObject',
    's3:CreateSession',
  ],
};

/** Permissions that assuming a role requires if an identity names one. */
const WITH_A_ROLE = ['sts:SetSourceIdentity', 'sts:TagSession'];

const BALANCING = 'elasticloadbalancing:';

/** GetCallerIdentity needs no permission. */
const FREE = ['sts:GetCallerIdentity'];

const COMMAND = /@aws-sdk\/(client-[\w-]+)\/dist-es\/commands\/(\w+)Command\.js$/;

/** Settings that place all functions in a VPC for which this is possible. */
const IN_A_VPC = {
  functionSubnets: 'subnet-0123456789abcdef0',
  functionSecurityGroups: 'sg-0123456789abcdef0',
  hosts: 'true',
};

/** Lambda requires this for a function in a VPC, and it is not denied to the function's own code. */
const TO_BE_IN_A_VPC = ['ec2:DescribeSubnets'];

let outdir: string;
let inVpc: string;
const called = new Map<string, string[]>();

beforeAll(async () => {
  outdir = synthesizeFixture();
  inVpc = synthesizeFixture({ context: IN_A_VPC });
  const root = join(import.meta.dirname, '..', '..', '..');
  const bundles = mkdtempSync(join(tmpdir(), 'windlass-calls-'));
  const metafile = await bundleFunctions({ root, entries: ENTRIES, outdir: bundles, apart: true });
  for (const [output, { inputs }] of Object.entries(metafile.outputs)) {
    const used = Object.entries(inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
    const calls = used.flatMap(([file]) => {
      const [, client = '', operation] = COMMAND.exec(file) ?? [];
      return CLIENTS[client] === undefined ? [] : [`${CLIENTS[client]}:${operation}`];
    });
    called.set(basename(dirname(output)), calls);
  }
}, LIMIT);

interface Statement {
  Action: string | string[];
  Effect: 'Allow' | 'Deny';
}

const statementsOf = (functionName: string, assembly: string): Statement[] => {
  const [, properties] =
    resourcesOf(assembly, 'AWS::Lambda::Function').find(
      ([, { FunctionName }]) => FunctionName === `Windlass-${functionName}`,
    ) ?? [];
  const role = String(properties?.Role);
  const policies = [...resourcesOf(assembly, 'AWS::IAM::Policy'), ...resourcesOf(assembly, 'AWS::IAM::ManagedPolicy')];
  return policies.flatMap(([, { PolicyDocument, Roles }]) =>
    (Roles as string[]).some((id) => role.includes(id)) ? (PolicyDocument as { Statement: Statement[] }).Statement : [],
  );
};

/** The actions that the code of a function may call. */
const allowed = (functionName: string, assembly: string): string[] => {
  const statements = statementsOf(functionName, assembly);
  const actionsOf = (effect: Statement['Effect']) =>
    statements.filter(({ Effect }) => Effect === effect).flatMap(({ Action }) => Action);
  const denied = actionsOf('Deny');
  return actionsOf('Allow').filter(
    (action) =>
      SERVICES.includes(action.split(':')[0] ?? '') && !HANDED_OVER.includes(action) && !denied.includes(action),
  );
};

const needed = (name: string): string[] => {
  const calls = called.get(name) ?? [];
  const free = [...FREE, ...(NEVER_CALLED[name] ?? [])];
  const implied = [
    ...(IMPLIED[name] ?? []),
    ...(calls.includes('sts:AssumeRole') ? WITH_A_ROLE : []),
    ...calls
      .filter((call) => call.startsWith(BALANCING))
      .flatMap((call) => readByBalancing(call.slice(BALANCING.length))),
  ];
  return [...calls, ...implied].filter((call) => !free.includes(call));
};

const sorted = (actions: readonly string[]): string[] => [...new Set(actions)].sort();

it.each(Object.keys(ENTRIES))('the stack allows %s exactly its calls', (name) => {
  expect(sorted(allowed(name, outdir))).toEqual(sorted(needed(name)));
});

it.each(REACHING)(
  'the stack allows %s the same calls in a VPC, and denies it the calls that only Lambda makes',
  (name) => {
    expect(statementsOf(name, inVpc)).toContainEqual(expect.objectContaining({ Effect: 'Deny' }));
    expect(sorted(allowed(name, inVpc))).toEqual(sorted([...needed(name), ...TO_BE_IN_A_VPC]));
  },
);
