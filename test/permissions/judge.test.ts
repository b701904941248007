import { describe, expect, it } from 'vitest';
import { makeGist } from './gist.ts';
import { judge } from './judge.ts';
import { type Call, questionsOf } from './requests.ts';
import type { Role, Statement } from './roles.ts';
import { withoutOurTags } from './stranger.ts';
import { makeUsage } from './usage.ts';

const OWNER = 'sigs.k8s.io/cluster-api-provider-aws/role';
const own = (type: string, id: string): string => `arn:aws:ec2:us-east-1:000000000000:${type}/${id}`;

const statement = (actions: string[], resources: string[], Condition?: unknown): Statement => ({
  actions,
  resources,
  document: { Effect: 'Allow', Action: actions, Resource: resources, ...(Condition ? { Condition } : {}) },
});
const role = (...statements: Statement[]): Role => ({
  functionName: 'f',
  arn: 'arn:aws:iam::000000000000:role/f',
  statements,
});
const call = (service: string, operation: string, input: object, touched: Call['touched'] = []): Call => ({
  requestId: '1',
  functionName: 'f',
  accessKeyId: '000000000000',
  service,
  operation,
  region: 'us-east-1',
  input: input as Call['input'],
  touched,
});
const launch = call(
  'ec2',
  'RunInstances',
  {
    ImageId: 'ami-1',
    IamInstanceProfile: { Name: 'nodes.cluster-api-provider-aws.sigs.k8s.io' },
    InstanceMarketOptions: { MarketType: 'spot' },
    TagSpecifications: [{ ResourceType: 'instance', Tags: [{ Key: OWNER, Value: 'node' }] }],
  },
  [
    { arn: 'arn:aws:ec2:us-east-1::image/ami-1', tags: {}, exists: true },
    { arn: own('subnet', 'subnet-1'), tags: {}, exists: true },
    { arn: own('security-group', 'sg-1'), tags: {}, exists: true },
  ],
);

describe('the permission checks of a call', () => {
  it('include each resource that a launch uses or creates, its tags, its role and the service-linked role for spot instances', async () => {
    const questions = await questionsOf(launch);
    expect(questions.map(({ action, resource }) => `${action} ${resource.split(':').at(-1)}`).sort()).toEqual([
      'ec2:CreateTags instance/new',
      'ec2:RunInstances image/ami-1',
      'ec2:RunInstances instance/new',
      'ec2:RunInstances network-interface/new',
      'ec2:RunInstances security-group/sg-1',
      'ec2:RunInstances spot-instances-request/new',
      'ec2:RunInstances subnet/subnet-1',
      'ec2:RunInstances volume/new',
      'iam:CreateServiceLinkedRole role/aws-service-role/spot.amazonaws.com/AWSServiceRoleForEC2Spot',
      'iam:PassRole role/nodes.cluster-api-provider-aws.sigs.k8s.io',
    ]);
    const tagging = questions.find(({ action }) => action === 'ec2:CreateTags');
    expect(tagging?.context).toMatchObject({ 'ec2:CreateAction': 'RunInstances', [`aws:RequestTag/${OWNER}`]: 'node' });
  });

  it('are a single one about all resources for a describe call', async () => {
    const questions = await questionsOf(call('ec2', 'DescribeVpcs', {}));
    expect(questions).toMatchObject([{ action: 'ec2:DescribeVpcs', resource: '*', mutates: false }]);
  });

  it('fail if a call does not name a required resource', async () => {
    await expect(questionsOf(call('ec2', 'DeleteVpc', {}))).rejects.toThrow('ec2:DeleteVpc names no vpc');
  });

  it('include the tags of a new target group, and what Elastic Load Balancing reads in EC2 for it', async () => {
    const input = { Name: 'api', Tags: [{ Key: OWNER, Value: 'apiserver' }] };
    const questions = await questionsOf(call('elasticloadbalancing', 'CreateTargetGroup', input));
    expect(questions.map(({ action }) => action)).toEqual([
      'elasticloadbalancing:CreateTargetGroup',
      'elasticloadbalancing:AddTags',
      'iam:CreateServiceLinkedRole',
      'ec2:DescribeInternetGateways',
      'ec2:DescribeVpcs',
    ]);
  });
});

it('permission checks count as the same if they differ only in ids and in keys that no policy uses', async () => {
  const deleting = role(
    statement(['ec2:DeleteVpc'], [own('vpc', '*')], { Null: { [`aws:ResourceTag/${OWNER}`]: 'false' } }),
  );
  const gistOf = makeGist();
  const gistsOf = async (id: string, tags: Record<string, string>) => {
    const touched = [{ arn: own('vpc', id), tags, exists: true }];
    return (await questionsOf(call('ec2', 'DeleteVpc', { VpcId: id }, touched))).map((one) => gistOf(deleting, one));
  };
  const one = await gistsOf('vpc-0123456789abcdef0', { Name: 'red', [OWNER]: 'common' });
  expect(await gistsOf('vpc-0fedcba9876543210', { Name: 'blue', [OWNER]: 'common' })).toEqual(one);
  expect(await gistsOf('vpc-0fedcba9876543210', { Name: 'blue' })).not.toEqual(one);
});

it('the permission checks of AssumeRole include the tags and the source identity of the session', async () => {
  const arn = 'arn:aws:iam::111111111111:role/x';
  const input = { RoleArn: arn, SourceIdentity: 'me', Tags: [{ Key: 'team', Value: 'blue' }] };
  const questions = await questionsOf(call('sts', 'AssumeRole', input, [{ arn, tags: {}, exists: true }]));
  expect(questions.map(({ action }) => action)).toEqual(['sts:AssumeRole', 'sts:TagSession', 'sts:SetSourceIdentity']);
});

describe('a launch with a customer-managed key', () => {
  const key = 'arn:aws:kms:us-east-1:999999999999:key/99999999-2222-3333-4444-555555555555';
  const questions = async () => {
    const under = { ...launch, touched: [...launch.touched, { arn: key, tags: {}, exists: true }] };
    return (await questionsOf(under)).filter(({ action }) => action.startsWith('kms:'));
  };
  const granted = role(
    statement(['kms:CreateGrant'], ['arn:aws:kms:*:*:key/*'], {
      StringLike: { 'kms:ViaService': 'ec2.*.amazonaws.com*' },
      Bool: { 'kms:GrantIsForAWSResource': 'true' },
    }),
  );
  const letsIn = {
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Principal: { AWS: 'arn:aws:iam::000000000000:root' }, Action: 'kms:*', Resource: '*' },
    ],
  };

  it('needs the policies of both the key and the role, and a grant that is only for AWS services', async () => {
    const [grant] = (await questions()).filter(({ action }) => action === 'kms:CreateGrant');
    if (!grant) throw new Error('there is no question about a grant');
    const policies = new Map([[key, letsIn]]);
    const { 'kms:GrantIsForAWSResource': _, ...past } = grant.context;

    expect((await judge(granted, grant, policies)).allowed).toBe(true);
    expect(await judge(granted, grant)).toEqual({ allowed: false, by: [] });
    expect((await judge(role(), grant, policies)).allowed).toBe(false);
    expect((await judge(granted, { ...grant, context: past }, policies)).allowed).toBe(false);
  });
});

describe('the verdict on a permission check', () => {
  const deleting = statement(['ec2:DeleteVpc', 'ec2:DeleteSubnet'], [own('vpc', '*'), own('subnet', '*')], {
    Null: { [`aws:ResourceTag/${OWNER}`]: 'false' },
  });
  const vpc = { arn: own('vpc', 'vpc-1'), tags: { [OWNER]: 'common' }, exists: true };

  it('allows a call on a resource with our tag, and names the statement', async () => {
    const [question] = await questionsOf(call('ec2', 'DeleteVpc', { VpcId: 'vpc-1' }, [vpc]));
    if (!question) throw new Error('no question');
    const usage = makeUsage([role(deleting)]);
    const verdict = await judge(role(deleting), question);
    usage.used(verdict.by, question);
    expect(verdict).toEqual({ allowed: true, by: [deleting] });
    expect(usage.unused().map(({ what }) => what)).toEqual(['ec2:DeleteSubnet', own('subnet', '*')]);
    expect((await judge(role(deleting), withoutOurTags(question))).allowed).toBe(false);
  });

  it('names every statement that allows the call, and no other statement about its action', async () => {
    const [question] = await questionsOf(call('ec2', 'DeleteVpc', { VpcId: 'vpc-1' }, [vpc]));
    if (!question) throw new Error('no question');
    const elsewhere = statement(['ec2:DeleteVpc'], [own('vpc', 'vpc-2')]);
    const all = statement(['ec2:DeleteVpc'], [own('vpc', '*')]);
    const { by } = await judge(role(statement(['ec2:CreateVpc'], ['*']), elsewhere, deleting, all), question);
    expect(by).toEqual([deleting, all]);
  });

  it('names every statement that allows tagging a target group, which AWS’s list lacks', async () => {
    const action = 'elasticloadbalancing:AddTags';
    const resource = 'arn:aws:elasticloadbalancing:us-east-1:000000000000:targetgroup/api/0123456789abcdef';
    const [all, exact] = ['*', resource].map((one) => statement([action], [one])) as [Statement, Statement];
    const elsewhere = statement([action], [`${resource}0`]);
    const { by } = await judge(role(all, elsewhere, exact), { action, resource, context: {}, mutates: true });
    expect(by).toEqual([all, exact]);
  });

  it('does not regard a condition as met if AWS does not support its key for the resource', async () => {
    const creating = statement(['ec2:CreateVpc'], [own('vpc', '*')], {
      Null: { [`aws:ResourceTag/${OWNER}`]: 'false' },
    });
    const tags = [{ ResourceType: 'vpc', Tags: [{ Key: OWNER, Value: 'common' }] }];
    const [question] = await questionsOf(call('ec2', 'CreateVpc', { TagSpecifications: tags }));
    if (!question) throw new Error('no question');
    expect((await judge(role(creating), question)).allowed).toBe(false);
  });

  it('refuses an action that IAM does not know', async () => {
    const question = { action: 'ec2:DeleteEverything', resource: '*', context: {}, mutates: true };
    await expect(judge(role(), question)).rejects.toThrow('cannot be judged');
  });
});
