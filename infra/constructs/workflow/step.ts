import { Aws, Duration, RemovalPolicy } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  type Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { FunctionName } from '../../bundle/entries.ts';
import type { Settings } from '../settings.ts';
import { attach, isAttached } from './attachment.ts';

interface Size {
  seconds: number;
  megabytes: number;
}

const STEP: Size = { seconds: 60, megabytes: 512 };

/**
 * Functions whose needs differ from those of a step: a watch may stream for 15 minutes, and RSA keys need a full core.
 */
const SIZES: Readonly<Partial<Record<FunctionName, Size>>> = {
  api: { seconds: 900, megabytes: 1024 },
  watch: { seconds: 900, megabytes: 128 },
  changes: { seconds: 15, megabytes: 256 },
  authorizer: { seconds: 15, megabytes: 512 },
  'cluster-objects': { seconds: 120, megabytes: 1769 },
  'cluster-network': { seconds: 120, megabytes: 512 },
  drift: { seconds: 300, megabytes: 1024 },
};

/** Functions whose logs record who did what. */
const AUDITING: readonly FunctionName[] = ['api', 'watch', 'authorizer'];

const sizeOf = (name: FunctionName): Size => SIZES[name] ?? STEP;

/** The memory of a function. */
export const megabytesOf = (name: FunctionName, { watchMegabytes }: Settings): number =>
  name === 'watch' && watchMegabytes > 0 ? watchMegabytes : sizeOf(name).megabytes;

/** The time limit of a step's function, in seconds. */
export const stepTimeoutSeconds = (name: FunctionName): number => sizeOf(name).seconds;

/** `cluster-objects` → `ClusterObjects`: the id of the function's construct. */
export const constructIdOf = (name: string): string =>
  name.replace(/(^|-)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());

/**
 * A function with our defaults: Node 24 on arm64, its own role and log group, JSON logs. `code` contains all bundles,
 * each in a folder with the function's name; `environment` is exactly what the function reads.
 */
export const stepFunction = (
  parent: Construct,
  options: {
    name: FunctionName;
    code: Code;
    environment: Record<string, string>;
    grants: readonly PolicyStatement[];
    settings: Settings;
  },
): LambdaFunction => {
  const { name, settings } = options;
  const scope = new Construct(parent, constructIdOf(name));
  const functionName = `${settings.stackName}-${name}`;
  const logGroup = new LogGroup(scope, 'Log', {
    logGroupName: `/aws/lambda/${functionName}`,
    retention: AUDITING.includes(name) ? settings.auditRetention : settings.logRetention,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const role = new Role(scope, 'Role', {
    description: `Role of the function ${functionName}`,
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
  });
  role.addToPolicy(
    new PolicyStatement({
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      resources: [
        `arn:${Aws.PARTITION}:logs:${Aws.REGION}:${Aws.ACCOUNT_ID}:log-group:/aws/lambda/${functionName}:log-stream:*`,
      ],
    }),
  );
  for (const grant of options.grants) role.addToPolicy(grant);
  const made = new LambdaFunction(scope, 'Function', {
    functionName,
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    handler: `${name}/index.handler`,
    code: options.code,
    role,
    logGroup,
    loggingFormat: LoggingFormat.JSON,
    tracing: Tracing.ACTIVE,
    environment: options.environment,
    memorySize: megabytesOf(name, settings),
    timeout: Duration.seconds(sizeOf(name).seconds),
    reservedConcurrentExecutions: settings.concurrency.reserved[name],
  });
  if (isAttached(name, settings.attachment)) attach(made, functionName, settings.attachment);
  return made;
};
