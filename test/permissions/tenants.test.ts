/** What IAM denies on another tenant's resources if the functions' own checks fail; and on bootstrap data. */
import { describe, expect, it } from 'vitest';
import type { FunctionName } from '../../infra/bundle/entries.ts';
import { roleOf } from './granted.ts';
import { judge } from './judge.ts';
import type { Question } from './requests.ts';
import type { Role } from './roles.ts';

const ROLE_TAG = 'sigs.k8s.io/cluster-api-provider-aws/role';
const OWNER_TAG = 'windlass.dev/cluster';
const ACCOUNT = '000000000000';
const arn = (service: string, rest: string): string => `arn:aws:${service}:us-east-1:${ACCOUNT}:${rest}`;
const ID = '5bcd1d9a-0f4e-4d0a-9d0b-111111111111';
const SECRET = arn('secretsmanager', `secret:aws.cluster.x-k8s.io/${ID}-0-AbCdEf`);
const PARAMETER = arn('ssm', `parameter/cluster.x-k8s.io/${ID}/0`);

const ask = (action: string, resource: string, context: Question['context'] = {}): Question => ({
  ...{ action, resource, mutates: true },
  context: { 'aws:RequestedRegion': 'us-east-1', ...context },
});

const instanceRole = (actions: string[], resources: string[], Condition?: object): Role => ({
  ...{ functionName: 'none', arn: `arn:aws:iam::${ACCOUNT}:role/nodes.cluster-api-provider-aws.sigs.k8s.io` },
  statements: [
    {
      actions,
      resources,
      document: { Effect: 'Allow', Action: actions, Resource: resources, ...(Condition ? { Condition } : {}) },
    },
  ],
});

const isAllowed = async (role: Role, question: Question): Promise<boolean> => (await judge(role, question)).allowed;

describe('a function may not', () => {
  const INSTANCE = arn('ec2', 'instance/i-0123456789abcdef0');
  const GROUP = arn('elasticloadbalancing', 'targetgroup/theirs/0123456789abcdef');
  it.each<[FunctionName, string, string]>([
    ['machine-instance', 'ec2:TerminateInstances', INSTANCE],
    ['machine-instance', 'secretsmanager:DeleteSecret', SECRET],
    ['machine-objects', 'secretsmanager:DeleteSecret', SECRET],
    ['machine-instance', 'ssm:DeleteParameter', PARAMETER],
    ['machine-target', 'elasticloadbalancing:RegisterTargets', GROUP],
    ['machine-target', 'elasticloadbalancing:DeregisterTargets', GROUP],
    ['drift', 'ec2:StartInstances', INSTANCE],
    ['drift', 'ec2:TerminateInstances', INSTANCE],
    ['drift', 'secretsmanager:DeleteSecret', SECRET],
    ['drift', 'secretsmanager:RestoreSecret', SECRET],
  ])('%s: %s on a resource without the tag of a cluster', async (name, action, resource) => {
    const role = roleOf(name);
    expect(await isAllowed(role, ask(action, resource, { 'aws:ResourceTag/Name': 'someone-elses' }))).toBe(false);
    expect(await isAllowed(role, ask(action, resource, { [`aws:ResourceTag/${ROLE_TAG}`]: 'node' }))).toBe(true);
  });
});

describe('volumes that the CSI driver of a cluster created', () => {
  const VOLUME = arn('ec2', 'volume/vol-0123456789abcdef0');
  const DRIVERS = { 'aws:ResourceTag/CSIVolumeName': 'pvc-1' };
  const CLAIMED = { ...DRIVERS, [`aws:ResourceTag/${OWNER_TAG}`]: 'blue/prod' };

  it('may be deleted only if a cluster has claimed them', async () => {
    const role = roleOf('cluster-network');
    expect(await isAllowed(role, ask('ec2:DeleteVolume', VOLUME, DRIVERS))).toBe(false);
    expect(await isAllowed(role, ask('ec2:DeleteVolume', VOLUME, CLAIMED))).toBe(true);
  });

  it.each<FunctionName>(['machine-instance', 'pool-group'])(
    'may be claimed by %s only if no cluster has claimed them',
    async (name) => {
      const role = roleOf(name);
      const claim = (tags: Question['context'], keys = [OWNER_TAG]) =>
        isAllowed(role, ask('ec2:CreateTags', VOLUME, { ...tags, 'aws:TagKeys': keys }));
      expect(await claim(DRIVERS)).toBe(true);
      expect(await claim(CLAIMED)).toBe(false);
      expect(await claim({ 'aws:ResourceTag/Name': 'someone-elses' })).toBe(false);
      expect(await claim(DRIVERS, [OWNER_TAG, 'CSIVolumeName'])).toBe(false);
    },
  );
});

describe.each<FunctionName>(['machine-instance', 'pool-group'])('the role of %s', (name) => {
  it('may create a spot request without the tags of a cluster, but no instance', async () => {
    const role = roleOf(name);
    expect(await isAllowed(role, ask('ec2:RunInstances', arn('ec2', 'spot-instances-request/new')))).toBe(true);
    expect(await isAllowed(role, ask('ec2:RunInstances', arn('ec2', 'instance/new')))).toBe(false);
  });
});

describe('tags in a call that creates a resource', () => {
  const OURS = { 'sigs.k8s.io/cluster-api-provider-aws/cluster/red': 'owned', [ROLE_TAG]: 'node' };
  const requested = (tags: Readonly<Record<string, string>>, action: string) => ({
    ...Object.fromEntries(Object.entries(tags).map(([key, value]) => [`aws:RequestTag/${key}`, value])),
    ...{ 'aws:TagKeys': Object.keys(tags), 'ec2:CreateAction': action },
  });
  const RULE = arn('ec2', 'security-group-rule/new');
  const SERVICES = { ...OURS, [ROLE_TAG]: 'service' };
  const AUTHORIZE = 'AuthorizeSecurityGroupIngress';

  it.each<[FunctionName, string, string, string, Readonly<Record<string, string>>]>([
    ['machine-instance', 'ec2:CreateTags', arn('ec2', 'spot-instances-request/new'), 'RunInstances', OURS],
    ['cluster-network', 'ec2:CreateTags', RULE, AUTHORIZE, OURS],
    ['cluster-network', `ec2:${AUTHORIZE}`, RULE, AUTHORIZE, OURS],
    ['cluster-workload', 'ec2:CreateTags', RULE, AUTHORIZE, SERVICES],
    ['cluster-workload', `ec2:${AUTHORIZE}`, RULE, AUTHORIZE, SERVICES],
  ])(
    'may be set by %s with %s on %s only if they include those of a cluster',
    async (name, action, resource, creating, tags) => {
      const role = roleOf(name);
      expect(await isAllowed(role, ask(action, resource, requested(tags, creating)))).toBe(true);
      expect(await isAllowed(role, ask(action, resource, requested({ Name: 'mine' }, creating)))).toBe(false);
    },
  );
});

describe('the role of an instance, with upstream’s policies', () => {
  const stock = instanceRole(
    ['secretsmanager:GetSecretValue', 'secretsmanager:DeleteSecret'],
    [arn('secretsmanager', 'secret:aws.cluster.x-k8s.io/*').replace('us-east-1', '*')],
  );

  it('reads any secret whose name it knows, but cannot list secrets: only their names protect them', async () => {
    expect(await isAllowed(stock, ask('secretsmanager:GetSecretValue', SECRET))).toBe(true);
    expect(await isAllowed(stock, ask('secretsmanager:ListSecrets', '*'))).toBe(false);
  });

  it('reads only the secrets of its own cluster with the role and policy of decision 31', async () => {
    const condition = { StringEquals: { [`aws:ResourceTag/${OWNER_TAG}`]: `\${aws:PrincipalTag/${OWNER_TAG}}` } };
    const own = instanceRole(
      ['secretsmanager:GetSecretValue', 'secretsmanager:DeleteSecret'],
      [arn('secretsmanager', 'secret:aws.cluster.x-k8s.io/*').replace('us-east-1', '*')],
      condition,
    );
    const of = (cluster: string) =>
      ask('secretsmanager:GetSecretValue', SECRET, {
        [`aws:ResourceTag/${OWNER_TAG}`]: cluster,
        [`aws:PrincipalTag/${OWNER_TAG}`]: 'blue/prod',
      });
    expect(await isAllowed(own, of('blue/prod'))).toBe(true);
    expect(await isAllowed(own, of('red/prod'))).toBe(false);
    expect(await isAllowed(own, ask('secretsmanager:GetSecretValue', SECRET))).toBe(false);
  });
});
