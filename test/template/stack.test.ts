import { beforeAll, describe, expect, it } from 'vitest';
import { bundleFunctions } from '../../infra/bundle/bundle.ts';
import { CORE_FUNCTIONS } from '../../infra/bundle/entries.ts';
import { synthesizeFixture } from '../../infra/fixture-stack.ts';
import { answerOf, makeRefusals } from '../../infra/local/engines/api-gateway/refusals.ts';
import { loadAssembly } from '../../infra/local/template.ts';
import { ENV } from '../../shared/config.ts';
import { createTableInput } from '../../shared/store/table.ts';
import { LIMIT } from '../../shared/test-patience.ts';
import { resourcesOf } from './definitions.ts';

let outdir: string;

beforeAll(() => {
  outdir = synthesizeFixture({ nag: true });
}, LIMIT);

interface Statement {
  Action: string | string[];
  Resource: string | string[];
  Condition?: Record<string, Record<string, unknown>>;
}

/** If the statements of a role are too long for one inline policy, the rest is in a managed policy. */
const POLICY_TYPES = ['AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy'];

const policies = () =>
  POLICY_TYPES.flatMap((type) => resourcesOf(outdir, type)).map(([id, { PolicyDocument }]) => ({
    name: id,
    statements: (PolicyDocument as { Statement: Statement[] }).Statement,
  }));

const only = <T>(values: readonly T[]): T => {
  expect(values).toHaveLength(1);
  return values[0] as T;
};

describe('functions', () => {
  const functions = () => resourcesOf(outdir, 'AWS::Lambda::Function').map(([, properties]) => properties);

  it('are exactly the listed ones, each with a role and a log group of its own', () => {
    const names = functions().map(({ FunctionName }) => String(FunctionName).replace('Windlass-', ''));
    expect(names.sort()).toEqual([...CORE_FUNCTIONS].sort());
    expect(new Set(functions().map(({ Role }) => Role)).size).toBe(CORE_FUNCTIONS.length);
    const groups = functions().map(({ LoggingConfig }) => (LoggingConfig as { LogGroup: string }).LogGroup);
    expect(new Set(groups).size).toBe(CORE_FUNCTIONS.length);
  });

  it('run on Node 24 and arm64', () => {
    for (const { Runtime, Architectures } of functions())
      expect([Runtime, Architectures]).toEqual(['nodejs24.x', ['arm64']]);
  });

  it('get only variables that shared/config.ts names', () => {
    const chosen = [
      'WINDLASS_EDITOR_PRINCIPALS',
      'WINDLASS_VIEWER_PRINCIPALS',
      'WINDLASS_SYNC_MACHINE_ANNOTATIONS',
      'WINDLASS_SYNC_MACHINE_LABELS',
      'WINDLASS_WATCHES',
      'WINDLASS_NAMESPACE_QUOTA',
      'WINDLASS_FUNCTIONS_IN_VPC',
      'WINDLASS_HOSTS',
      'WINDLASS_EXPORTED_TABLE_ARN',
    ];
    const known: string[] = Object.values(ENV);
    const given = functions().flatMap(({ Environment }) =>
      Object.keys((Environment as { Variables: object } | undefined)?.Variables ?? {}),
    );
    // Node's own variables keep the function `watch` small.
    const ours = given.filter((name) => !name.startsWith('POWERTOOLS_') && name !== 'NODE_OPTIONS');
    // Outputs of optional settings exist only if the settings are given.
    expect([...new Set([...ours, ...chosen])].sort()).toEqual(known.sort());
    expect(given.filter((name) => chosen.includes(name))).toEqual([]);
  });
});

describe('permissions', () => {
  /** Calls that have no resource-level permissions. */
  const WITHOUT_RESOURCES = [
    /^(autoscaling|ec2|elasticloadbalancing):Describe/,
    /^ec2:GetEbsDefaultKmsKeyId$/,
    /^xray:/,
    /^logs:(\w+LogDelivery|ListLogDeliveries|PutResourcePolicy|DescribeResourcePolicies|DescribeLogGroups)$/,
  ];

  it('never apply to all resources, except for calls that AWS cannot restrict', () => {
    for (const { name, statements } of policies())
      for (const { Action, Resource } of statements) {
        if (![Resource].flat().includes('*')) continue;
        const free = [Action].flat().filter((action) => !WITHOUT_RESOURCES.some((pattern) => pattern.test(action)));
        expect(free, name).toEqual([]);
      }
  });

  it('never contain a wildcard in an action', () => {
    for (const { name, statements } of policies())
      expect(
        statements.flatMap(({ Action }) => Action).filter((action) => action.includes('*')),
        name,
      ).toEqual([]);
  });

  it("change AWS resources only under a condition on Windlass's tags", () => {
    const changing =
      /^(autoscaling|ec2|elasticloadbalancing):(?!Describe|GetEbsDefaultKmsKeyId|RunInstances|CreateTags)/;
    const controllers = ['kubernetes.io/service-name', 'elbv2.k8s.aws/cluster', 'CSIVolumeName'];
    const marks = ['sigs.k8s.io/cluster-api-provider-aws/', ...controllers];
    // Security groups of cloud controllers have one tag, whose key ends in the cluster's name, so no condition can
    // match it.
    const unmarked = ['ec2:DeleteSecurityGroup'];
    const referring = /:(vpc|subnet|elastic-ip|route-table|ipv4pool-ec2|ipv6pool-ec2|ipam-pool)\/\*$/;
    // An interface with Windlass's tags may get the security groups of any owner, as at its launch.
    const putting = 'ec2:ModifyNetworkInterfaceAttribute *:security-group/*';
    const isPutting = (action: unknown, resource: unknown) =>
      `${action} ${String(resource).replace(/^arn:aws:ec2:\*:\*/, '*')}` === putting;
    for (const { name, statements } of policies())
      for (const { Action, Resource, Condition } of statements) {
        if (![Action].flat().some((action) => changing.test(action) && !unmarked.includes(action))) continue;
        const keys = JSON.stringify(Condition ?? {});
        const tagged = marks.some((mark) => keys.includes(mark));
        const refersOnly = [Resource].flat().every((resource) => referring.test(resource));
        expect(tagged || refersOnly || isPutting(Action, Resource), `${name}: ${Action}`).toBe(true);
      }
  });

  it('pass only the roles of instances to EC2, and those of hooks to Auto Scaling', () => {
    const passing = policies().flatMap(({ statements }) =>
      statements.filter(({ Action }) => [Action].flat().includes('iam:PassRole')),
    );
    const isOfHooks = ({ Condition }: (typeof passing)[number]) => JSON.stringify(Condition).includes('autoscaling');
    const [hooks] = passing.filter(isOfHooks);
    expect(hooks?.Resource).toBe('arn:aws:iam::000000000000:role/*.cluster-api-provider-aws.sigs.k8s.io');
    expect(hooks?.Condition).toEqual({ StringLike: { 'iam:PassedToService': 'autoscaling.amazonaws.com*' } });
    // One statement each for the instances of machines, for those of pools, and for lifecycle hooks.
    expect(passing).toHaveLength(3);
    for (const { Resource, Condition } of passing.filter((statement) => !isOfHooks(statement))) {
      expect(Resource).toEqual([
        'arn:aws:iam::000000000000:role/control-plane.cluster-api-provider-aws.sigs.k8s.io',
        'arn:aws:iam::000000000000:role/nodes.cluster-api-provider-aws.sigs.k8s.io',
      ]);
      expect(Condition).toEqual({ StringLike: { 'iam:PassedToService': 'ec2.amazonaws.com*' } });
    }
  });

  it('write objects only to buckets of the account, because the ARN of a bucket does not name the account', () => {
    const writing = policies().flatMap(({ statements }) =>
      statements.filter(({ Action }) => [Action].flat().includes('s3:PutObject')),
    );
    // For the bootstrap data of machines, and for that of pools.
    expect(writing).toHaveLength(2);
    for (const { Condition } of writing)
      expect(Condition).toEqual({ StringEquals: { 'aws:ResourceAccount': '000000000000' } });
  });

  it('allow the authorizer only to log and trace', () => {
    const own = only(policies().filter(({ name }) => name.startsWith('Authorizer')));
    expect(own.statements.flatMap(({ Action }) => Action).toSorted()).toEqual([
      ...['logs:CreateLogStream', 'logs:PutLogEvents'],
      ...['xray:PutTelemetryRecords', 'xray:PutTraceSegments'],
    ]);
  });
});

describe('resources', () => {
  it('are the same at each synthesis', () => {
    expect(loadAssembly(synthesizeFixture()).template).toEqual(loadAssembly(outdir).template);
  });

  it('keep the objects when the stack is deleted, in the form of shared/store/table.ts', () => {
    const [id, table] = only(resourcesOf(outdir, 'AWS::DynamoDB::Table'));
    const { TableName: _, ...shape } = createTableInput('any');
    const byName = (a: object, b: object) => JSON.stringify(a).localeCompare(JSON.stringify(b));
    const { AttributeDefinitions, ...keys } = table;
    expect([...(AttributeDefinitions as object[])].sort(byName)).toEqual(
      [...(shape.AttributeDefinitions ?? [])].sort(byName),
    );
    const { AttributeDefinitions: __, ...wanted } = shape;
    expect(keys).toMatchObject(wanted);
    expect(keys).toMatchObject({
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      SSESpecification: { SSEEnabled: true },
      TimeToLiveSpecification: { Enabled: true },
    });
    const { template } = loadAssembly(outdir);
    expect(template.Resources[id]).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
  });

  it('rotate the key that encrypts Secrets', () => {
    const [, key] = only(resourcesOf(outdir, 'AWS::KMS::Key'));
    expect(key.EnableKeyRotation).toBe(true);
  });

  it('keep every log for a limited time', () => {
    for (const [id, group] of resourcesOf(outdir, 'AWS::Logs::LogGroup')) expect(group.RetentionInDays, id).toBe(90);
  });

  it('stream every method to the api function, and watches to their own function, behind the authorizer', () => {
    const methods = resourcesOf(outdir, 'AWS::ApiGateway::Method').map(([, method]) => method);
    expect(methods.map(({ HttpMethod }) => HttpMethod).sort()).toEqual(['ANY', 'ANY', 'GET', 'POST']);
    for (const { AuthorizationType, HttpMethod, Integration } of methods) {
      // Reports of changes have separate tokens.
      expect(AuthorizationType).toBe(HttpMethod === 'POST' ? 'NONE' : 'CUSTOM');
      expect(Integration).toMatchObject({ Type: 'AWS_PROXY', ResponseTransferMode: 'STREAM' });
      expect((Integration as { Uri: string }).Uri).toContain('/2021-11-15/functions/');
    }
  });

  it('throttle reports of changes, whose function reads single items, counts, and starts passes', () => {
    const [[, stage] = []] = resourcesOf(outdir, 'AWS::ApiGateway::Stage');
    expect(stage?.MethodSettings).toContainEqual(
      expect.objectContaining({
        HttpMethod: 'POST',
        ResourcePath: '/~1hooks~1changes~1{cluster}',
        ThrottlingRateLimit: 10,
        ThrottlingBurstLimit: 100,
      }),
    );
    const policies = resourcesOf(outdir, 'AWS::IAM::Policy').filter(([id]) => id.startsWith('ChangesRole'));
    const statements = policies.flatMap(
      ([, { PolicyDocument }]) => (PolicyDocument as { Statement: { Action: string | string[] }[] }).Statement,
    );
    expect(new Set(statements.flatMap(({ Action }) => Action))).toEqual(
      new Set([
        'logs:CreateLogStream',
        'logs:PutLogEvents',
        'dynamodb:GetItem',
        'dynamodb:UpdateItem',
        'states:StartExecution',
        'xray:PutTelemetryRecords',
        'xray:PutTraceSegments',
      ]),
    );
  });

  it('let clients repeat a request that the gateway has throttled, as Kubernetes does', () => {
    const answers = resourcesOf(outdir, 'AWS::ApiGateway::GatewayResponse').map(
      ([, properties]) => [String(properties.ResponseType), answerOf(properties)] as const,
    );
    const refuse = makeRefusals(new Map(answers));
    const { headers, body } = refuse('THROTTLED', 'r-1');
    expect(headers['retry-after']).toBe('1');
    expect(JSON.parse(body)).toMatchObject({ kind: 'Status', code: 429, details: { retryAfterSeconds: 1 } });
    expect(JSON.parse(refuse('REQUEST_TOO_LARGE', 'r-1').body)).toMatchObject({
      message: 'Request entity too large: limit is 3145728',
      reason: 'RequestEntityTooLarge',
      code: 413,
    });
    // The function may have begun to process the request.
    for (const type of ['INTEGRATION_TIMEOUT', 'INTEGRATION_FAILURE'] as const)
      expect(refuse(type, 'r-1').headers['retry-after']).toBeUndefined();
    // The function has not received the request: it is only known that the caller could not be identified.
    for (const type of ['AUTHORIZER_FAILURE', 'AUTHORIZER_CONFIGURATION_ERROR'] as const) {
      const unavailable = refuse(type, 'r-1');
      expect([unavailable.status, unavailable.headers['retry-after']]).toEqual([503, '1']);
      expect(JSON.parse(unavailable.body)).toMatchObject({ code: 503, reason: 'ServiceUnavailable' });
    }
  });

  it('trace every request and every function', () => {
    const [[, stage] = []] = resourcesOf(outdir, 'AWS::ApiGateway::Stage');
    expect(stage).toMatchObject({ TracingEnabled: true });
    for (const [id, made] of resourcesOf(outdir, 'AWS::Lambda::Function'))
      expect(made.TracingConfig, id).toEqual({ Mode: 'Active' });
  });

  it('log and trace every execution, without its payload', () => {
    for (const [id, machine] of resourcesOf(outdir, 'AWS::StepFunctions::StateMachine')) {
      expect(machine.TracingConfiguration, id).toEqual({ Enabled: true });
      expect(machine.LoggingConfiguration, id).toMatchObject({ Level: 'ERROR', IncludeExecutionData: false });
    }
  });
});

it('reports which function has no code', async () => {
  const entries = { api: 'functions/nowhere/handler.ts' };
  await expect(bundleFunctions({ root: '/', entries, outdir: '/nowhere' })).rejects.toThrow(
    'function "api" has no code: functions/nowhere/handler.ts does not exist',
  );
});
