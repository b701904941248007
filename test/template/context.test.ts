import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { REACHING } from '../../infra/constructs/workflow/attachment.ts';
import { synthesizeFixture } from '../../infra/fixture-stack.ts';
import { loadAssembly } from '../../infra/local/template.ts';
import { LIMIT } from '../../shared/test-patience.ts';
import { resourcesOf } from './definitions.ts';

/** All settings that users can choose, with values. */
const CHOSEN = {
  name: 'blue',
  tags: 'team=platform,cost-centre=42',
  sweepMinutes: 1,
  sweepShards: 7,
  awsRateShare: 60,
  fleetBrake: 40,
  apiCallEvents: 'true',
  hosts: 'true',
  logRetentionDays: 7,
  adminPrincipals: 'arn:aws:iam::000000000000:role/Owner',
  editorPrincipals: 'arn:aws:iam::000000000000:role/team-*',
  viewerPrincipals: 'arn:aws:iam::000000000000:role/Auditor',
  syncMachineLabels: '^team$,rack',
  instanceProfiles: 'mine',
  extensionFunctions: 'arn:aws:lambda:us-east-1:000000000000:function:hooks:live',
  alarmEmail: 'ops@example.com,lead@example.com',
  permissionsBoundary: 'Limits',
  functionSubnets: 'subnet-0123456789abcdef0,subnet-0123456789abcdef1',
  functionSecurityGroups: 'sg-0123456789abcdef0',
  terminationProtection: 'false',
  destroyWithClusters: 'true',
  removeTable: 'true',
  gatewayLogRole: 'false',
};

let blue: string;

beforeAll(() => {
  blue = synthesizeFixture({ context: CHOSEN, nag: true });
}, LIMIT);

const properties = (type: string, outdir = blue) => resourcesOf(outdir, type).map(([, found]) => found);
const resources = (outdir: string) => Object.entries(loadAssembly(outdir).template.Resources);

/** The properties of the only stack of an assembly. */
const stackProperties = (outdir: string): { terminationProtection?: boolean } => {
  const { artifacts } = JSON.parse(readFileSync(join(outdir, 'manifest.json'), 'utf8')) as {
    artifacts: Record<string, { type: string; properties?: { terminationProtection?: boolean } }>;
  };
  return Object.values(artifacts).find(({ type }) => type === 'aws:cloudformation:stack')?.properties ?? {};
};

describe('context', () => {
  it('adds a function and workflow steps for hosts', () => {
    const text = (outdir: string) => JSON.stringify(resources(outdir));
    for (const part of ['who does launchInstance?', 'terminateInstance (hosts)', 'Windlass-blue-hosts'])
      expect(text(blue)).toContain(part);
    expect(text(inject('outdir'))).not.toMatch(/\(hosts\)|Windlass-hosts/);
  });

  it('sets the names of the stack and its resources, the rate of the sweep, and the retention of logs', () => {
    const names = properties('AWS::StepFunctions::StateMachine').map(({ StateMachineName }) => StateMachineName);
    expect(names).toContain('Windlass-blue-converge-cluster');
    const rules = properties('AWS::Events::Rule').flatMap((rule) => rule.ScheduleExpression ?? []);
    expect(rules).toEqual(['rate(1 minute)', 'rate(1 minute)']);
    const trailed = properties('AWS::Events::Rule').filter(({ EventPattern }) =>
      JSON.stringify(EventPattern ?? {}).includes('via CloudTrail'),
    );
    expect(trailed).toHaveLength(1);
    expect(JSON.stringify(trailed)).toContain('"anything-but":{"prefix":"Windlass-blue-"}');
    for (const { RetentionInDays } of properties('AWS::Logs::LogGroup')) expect(RetentionInDays).toBe(7);
  });

  it('sets permissions, and which labels nodes get', () => {
    const environments = JSON.stringify(properties('AWS::Lambda::Function').map(({ Environment }) => Environment));
    expect(environments).toContain('"WINDLASS_SYNC_MACHINE_LABELS":"^team$,rack"');
    expect(environments).toContain('"WINDLASS_INSTANCE_PROFILES":"mine"');
    expect(JSON.stringify(properties('AWS::IAM::Policy'))).toContain('arn:aws:iam::000000000000:role/mine"');
    expect(environments).toContain('"WINDLASS_ADMIN_PRINCIPALS":"arn:aws:iam::000000000000:role/Owner"');
    expect(environments).toContain('"WINDLASS_EDITOR_PRINCIPALS":"arn:aws:iam::000000000000:role/team-*"');
    expect(environments).toContain('"WINDLASS_VIEWER_PRINCIPALS":"arn:aws:iam::000000000000:role/Auditor"');
  });

  it('allows two functions to invoke extensions, if the installation lists any, and no other', () => {
    const invoking = (outdir: string) =>
      resources(outdir).flatMap(([id, { Type, Properties }]) => {
        const text = JSON.stringify(Properties ?? {});
        return Type === 'AWS::IAM::Policy' && text.includes(':function:hooks') ? [id.replace(/RoleDefault.*/, '')] : [];
      });
    expect(invoking(blue).sort()).toEqual(['ClusterObjects', 'Drift']);
    const statements = properties('AWS::IAM::Policy').filter((it) => JSON.stringify(it).includes(':function:hooks'));
    for (const { PolicyDocument } of statements)
      expect((PolicyDocument as { Statement: object[] }).Statement).toContainEqual({
        Action: 'lambda:InvokeFunction',
        Effect: 'Allow',
        Resource: 'arn:aws:lambda:us-east-1:000000000000:function:hooks:live',
      });
    const roles = resources(inject('outdir')).filter(([id]) => /^(ClusterObjects|Drift)RoleDefaultPolicy/.test(id));
    expect(roles).toHaveLength(2);
    expect(JSON.stringify(roles)).not.toContain('lambda:InvokeFunction');
  });

  it('splits the roles of a large organization across policies within the length limits of AWS', () => {
    const role = 'role/controllers.cluster-api-provider-aws.sigs.k8s.io';
    const roles = Array.from({ length: 250 }, (_, index) => `arn:aws:iam::${100_000_000_000 + index}:${role}`);
    const outdir = synthesizeFixture({ context: { assumableRoles: roles }, nag: true });
    const longest = (type: string) =>
      Math.max(...properties(type, outdir).map(({ PolicyDocument }) => JSON.stringify(PolicyDocument).length));
    // The limits for managed policies, and for the inline policies of a role; both occur here.
    expect(longest('AWS::IAM::ManagedPolicy')).toBeLessThanOrEqual(6144);
    expect(longest('AWS::IAM::Policy')).toBeLessThanOrEqual(10_240);
    const drift = resources(outdir).filter(([id]) => /^DriftRole(Default|Overflow)Policy/.test(id));
    for (const one of roles) expect(JSON.stringify(drift)).toContain(`"${one}"`);
  });

  it('puts its tags on every resource that can carry tags', () => {
    const tagged = resources(blue).filter(([, { Properties }]) =>
      JSON.stringify(Properties ?? {}).includes('cost-centre'),
    );
    const types = [...new Set(tagged.map(([, { Type }]) => Type))].sort();
    expect(types).toEqual([
      'AWS::ApiGateway::RestApi',
      'AWS::ApiGateway::Stage',
      'AWS::CloudWatch::Alarm',
      'AWS::CloudWatch::Dashboard',
      'AWS::DynamoDB::Table',
      'AWS::Events::Rule',
      'AWS::IAM::Role',
      'AWS::KMS::Key',
      'AWS::Lambda::Function',
      'AWS::Logs::LogGroup',
      'AWS::SNS::Topic',
      'AWS::SQS::Queue',
      'AWS::StepFunctions::StateMachine',
    ]);
    const untagged = resources(blue).filter(
      ([id, { Type }]) => types.includes(Type) && !tagged.some(([other]) => other === id),
    );
    expect(untagged.map(([id]) => id)).toEqual([]);
  });

  it('sets a permissions boundary on every role', () => {
    for (const { PermissionsBoundary } of properties('AWS::IAM::Role'))
      expect(PermissionsBoundary).toBe('arn:aws:iam::000000000000:policy/Limits');
  });

  it('puts exactly the functions that reach API servers into the given subnets, and denies them the calls that only Lambda makes', () => {
    const attached = properties('AWS::Lambda::Function').filter(({ VpcConfig }) => VpcConfig !== undefined);
    expect(attached.map(({ FunctionName }) => String(FunctionName).replace('Windlass-blue-', '')).sort()).toEqual(
      [...REACHING].sort(),
    );
    for (const { VpcConfig } of attached)
      expect(VpcConfig).toEqual({
        SubnetIds: ['subnet-0123456789abcdef0', 'subnet-0123456789abcdef1'],
        SecurityGroupIds: ['sg-0123456789abcdef0'],
      });
    const denied = JSON.stringify(properties('AWS::IAM::Policy')).split('"Effect":"Deny"').length - 1;
    expect(denied).toBe(REACHING.length);
    const told = (outdir: string) =>
      properties('AWS::Lambda::Function', outdir).filter(({ Environment }) =>
        JSON.stringify(Environment ?? {}).includes('"WINDLASS_FUNCTIONS_IN_VPC":"true"'),
      );
    expect(told(blue).map(({ FunctionName }) => FunctionName)).toEqual(['Windlass-blue-cluster-network']);
    expect(told(inject('outdir'))).toEqual([]);
  });

  it('sends alarms to people, or to an existing topic', () => {
    const endpoints = properties('AWS::SNS::Subscription').map(({ Protocol, Endpoint }) => [Protocol, Endpoint]);
    expect(endpoints).toEqual([
      ['email', 'ops@example.com'],
      ['email', 'lead@example.com'],
    ]);
  });

  it('makes the table, its key and the stack deletable if requested', () => {
    const [table] = resources(blue).filter(([, { Type }]) => Type === 'AWS::DynamoDB::Table');
    expect(table?.[1]).toMatchObject({ DeletionPolicy: 'Delete', Properties: { DeletionProtectionEnabled: false } });
    const [key] = resources(blue).filter(([, { Type }]) => Type === 'AWS::KMS::Key');
    expect(key?.[1]).toMatchObject({ DeletionPolicy: 'Delete' });
    expect(stackProperties(blue).terminationProtection).toBeFalsy();
    expect(stackProperties(inject('outdir')).terminationProtection).toBe(true);
  });

  it('uses an existing table and key, and changes neither', () => {
    const sealKeyArn = 'arn:aws:kms:us-east-1:000000000000:key/0123';
    const restored = synthesizeFixture({ context: { tableName: 'Windlass-restored', sealKeyArn }, nag: true });
    expect([...properties('AWS::DynamoDB::Table', restored), ...properties('AWS::KMS::Key', restored)]).toEqual([]);
    const environments = properties('AWS::Lambda::Function', restored).map(
      ({ Environment }) => (Environment as { Variables: Record<string, unknown> }).Variables,
    );
    const named = environments.flatMap(({ WINDLASS_TABLE, WINDLASS_SEAL_KEY_ARN }) => [
      WINDLASS_TABLE,
      WINDLASS_SEAL_KEY_ARN,
    ]);
    expect(new Set(named)).toEqual(new Set(['Windlass-restored', sealKeyArn, undefined]));
    const policies = JSON.stringify(properties('AWS::IAM::Policy', restored));
    expect(policies).toContain(':table/Windlass-restored"');
    expect(policies).toContain(':table/Windlass-restored/index/*"');
  });

  it('divides the sweep into the chosen number of parts, each with its number', () => {
    const inputs = (outdir?: string) =>
      properties('AWS::Events::Rule', outdir)
        .filter(({ ScheduleExpression }) => ScheduleExpression !== undefined)
        .flatMap(({ Targets }) => (Targets as { Input?: string }[]).map(({ Input }) => Input));
    expect(inputs().sort()).toEqual(Array.from({ length: 7 }, (_, shard) => JSON.stringify({ shard })));
    expect(inputs(inject('outdir'))).toEqual([undefined]);
  });

  it('can leave the role with which API Gateway logs in the region unchanged', () => {
    expect(properties('AWS::ApiGateway::Account')).toEqual([]);
    expect(properties('AWS::ApiGateway::Account', inject('outdir'))).toHaveLength(1);
  });
});

describe('two stacks in one account and region', () => {
  /** Properties with names that must be unique in the account. */
  const NAMES = [
    'AlarmName',
    'DashboardName',
    'FunctionName',
    'KeyAlias',
    'LogGroupName',
    'Name',
    'PolicyName',
    'QueueName',
    'RoleName',
    'RuleName',
    'StateMachineName',
    'TableName',
    'TopicName',
  ];
  /** Resources whose names are scoped to another resource of the same stack. */
  const INSIDE = ['AWS::ApiGateway::Authorizer', 'AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy'];

  /** A name is a text in the template; references to named resources are objects. */
  const physicalNames = (outdir: string): string[] =>
    resources(outdir).flatMap(([, { Type, Properties = {} }]) =>
      INSIDE.includes(Type)
        ? []
        : NAMES.flatMap((key) => (typeof Properties[key] === 'string' ? [`${Type} ${Properties[key]}`] : [])),
    );

  it('share no name, and all their names begin with the name of the stack', () => {
    const [first, second] = [physicalNames(inject('outdir')), physicalNames(blue)];
    expect(new Set(first).size).toBeGreaterThan(40);
    expect(first.filter((name) => second.includes(name))).toEqual([]);
    const other = [...first, ...second].filter((name) => !/ (\/[\w/-]+\/)?Windlass(-|$)/.test(name));
    expect(other).toEqual([]);
  });

  it('export nothing, because an export is unique in a region', () => {
    const { Outputs = {} } = loadAssembly(blue).template;
    expect(Object.values(Outputs).filter((output) => 'Export' in output)).toEqual([]);
  });

  it('do not refer to each other', () => {
    expect(JSON.stringify(resources(blue)).match(/\bWindlass-(?!blue)[\w-]+/g) ?? []).toEqual([]);
  });
});
