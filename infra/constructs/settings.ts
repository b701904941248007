import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Node } from 'constructs';
import { readApiSourceRanges } from './api-policy.ts';
import { type Concurrency, divideConcurrency } from './concurrency.ts';
import { type Context, checkNumber, readContext } from './context.ts';
import { checkEnvironmentSize } from './environment-size.ts';
import { type Attachment, readAttachment } from './function-subnets.ts';
import { readAssumableRoles } from './grants/assumable-roles.ts';
import { readInstanceProfiles } from './grants/instance-profiles.ts';
import { readAdmins, readPrincipals } from './grants/principals.ts';
import { type RoleRules, readRoleRules } from './grants/role-rules.ts';
import { type AlarmReceivers, type Place, readAlarms } from './monitoring/alarm-receivers.ts';
import { readNamespaceQuota } from './namespace-quota.ts';

/** Regular exports of all objects. */
export interface Export {
  /** The name of the bucket. */
  bucket: string;
  /** The key that encrypts the files; undefined for the bucket's own keys (SSE-S3). */
  keyArn: string | undefined;
  /** The hours between two exports. */
  hours: number;
}

/** The settings of an installation, from the CDK context (`-c key=value` or cdk.json). */
export interface Settings {
  /** The stack's name; also the prefix of the functions and state machines: `Windlass` or `Windlass-<name>`. */
  stackName: string;
  /** Tags for every resource that can have tags. */
  tags: Readonly<Record<string, string>>;
  /** Minutes between two sweeps of the account, 1 to 60. */
  sweepMinutes: number;
  /**
   * The number of parts in which the fleet is swept by as many concurrent functions; each namespace is in exactly one
   * part.
   */
  sweepShards: number;
  /** If more than this percentage of a fleet looks broken, nothing is changed; 100 disables this. */
  fleetBrake: number;
  /** The percentage of AWS's rate limits for calls that Windlass uses once AWS throttles calls. */
  awsRateShare: number;
  /**
   * Whether a trail of the account reports calls to EventBridge: those that change resources of clusters start a pass
   * immediately.
   */
  apiCallEvents: boolean;
  /** Whether clusters on existing hosts are served in addition to those on EC2. */
  hosts: boolean;
  /** The days for which logs are kept; one of the values that CloudWatch Logs accepts. */
  logRetention: RetentionDays;
  /** The same for the audit logs: those of the API, of the authorizer, and the gateway's access log. */
  auditRetention: RetentionDays;
  /** The reserved part of the account's concurrent executions. */
  concurrency: Concurrency;
  /** The number of watches that one principal may have open concurrently. */
  watchesPerPrincipal: number;
  /** The memory of the function that serves watches that resume from a version; 0 if the API serves them itself. */
  watchMegabytes: number;
  /** The limits for each new namespace: `count/<resource>.<group>=<number>`, separated by commas; empty for none. */
  namespaceQuota: string;
  /**
   * Patterns of IAM principal ARNs that are admins; undefined for the role WindlassAdmin in the stack's own account.
   */
  adminPrincipals: readonly string[] | undefined;
  /** Patterns of the principals with the role `edit` in all namespaces, and of those with `view`. */
  editorPrincipals: readonly string[];
  viewerPrincipals: readonly string[];
  /** Additional accounts whose principals may get permissions from RBAC objects. */
  trustedAccounts: readonly string[];
  /** Regular expressions for labels of machines that their nodes get in addition to the standard ones. */
  syncMachineLabels: readonly string[];
  /** Regular expressions for annotations of machines that their nodes get. */
  syncMachineAnnotations: readonly string[];
  /** Patterns of the ARNs of roles that clusters' identities may assume. */
  assumableRoles: readonly string[];
  /** Names of the instance profiles that machines may have, and of their roles. */
  instanceProfiles: readonly string[];
  /** ARNs of the Lambda functions that an ExtensionConfig may name. */
  extensionFunctions: readonly string[];
  /** Address ranges from which the API may be called; empty for any. */
  apiSourceRanges: readonly string[];
  alarms: AlarmReceivers;
  /** The ARN of a managed policy that bounds every role, or its name in the stack's account. */
  permissionsBoundary: string | undefined;
  roles: RoleRules;
  /** The ARN of the key that encrypts all logs; undefined for CloudWatch's own key. */
  logKeyArn: string | undefined;
  /** Whether functions call AWS's FIPS endpoints. */
  useFipsEndpoints: boolean;
  /** Undefined if functions reach API servers over the internet. */
  attachment: Attachment | undefined;
  /** Whether CloudFormation refuses to delete the stack until this is turned off. */
  terminationProtection: boolean;
  /** Whether the stack may be deleted while it contains Cluster objects; their resources stay in the account. */
  destroyWithClusters: boolean;
  /** The table of the objects, if it is not the stack's own but was restored from a backup. */
  tableName: string | undefined;
  /** The key that decrypts the Secrets of that table, if it is not the stack's own. */
  sealKeyArn: string | undefined;
  /** Undefined if nothing is exported. */
  export: Export | undefined;
  /** Whether the table of the objects and the key for its Secrets are deleted with the stack. */
  removeTable: boolean;
  /** Whether the stack sets the role with which API Gateway writes logs; there is only one per account and region. */
  gatewayLogRole: boolean;
}

/** Each part lists the load balancers of its accounts: more parts would list them too often. */
const MOST_SHARDS = 20;

const NAME = /^[a-z][a-z0-9-]{0,23}$/;
const ACCOUNT = { pattern: /^\d{12}$/, is: 'the number of an AWS account' };
const BOUNDARY = {
  pattern: /^(arn:aws[a-z-]*:iam::(\d{12}|aws):policy\/[\w+=,.@/-]+|[\w+=,.@-]{1,128})$/,
  is: 'the ARN or the name of a managed policy',
};
const EXTENSION = {
  pattern: /^arn:aws[a-z-]*:lambda:[a-z0-9-]+:\d{12}:function:[\w-]{1,64}(:[\w$-]{1,128})?$/,
  is: 'the ARN of a Lambda function (no pattern)',
};
const TABLE = { pattern: /^[\w.-]{3,255}$/, is: 'the name of a DynamoDB table' };
const KEY = { pattern: /^arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key\/[\w-]+$/, is: 'the ARN of a KMS key' };
const BUCKET = { pattern: /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, is: 'the name of an S3 bucket' };

/** AWS allows 50 tags for each resource; the CDK and CloudFormation add their own. */
const MOST_TAGS = 40;
const TAG_KEY = /^(?!aws:)[\p{L}\p{Z}\p{N}_.:/=+\-@]{1,128}$/iu;
const TAG_VALUE = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]{0,256}$/u;

const readName = (context: Context): string => {
  const name = context.raw('name');
  if (name === undefined || name === '') return 'Windlass';
  if (typeof name !== 'string' || !NAME.test(name))
    context.report('name', 'must be at most 24 lower-case letters, digits and hyphens, and start with a letter');
  return `Windlass-${name}`;
};

const checkRetention = (context: Context, key: string, days: number): RetentionDays => {
  const known = Object.values(RetentionDays).filter((value) => typeof value === 'number' && value < 9999) as number[];
  if (!known.includes(days)) context.report(key, `must be one of ${known.join(', ')}, not "${days}"`);
  return days;
};

const readExpressions = (context: Context, key: string): string[] => {
  const expressions = context.list(key);
  for (const expression of expressions) {
    try {
      new RegExp(expression);
    } catch (error) {
      context.report(key, `"${expression}" is not a regular expression: ${String(error)}`);
    }
    if (expression === '') context.report(key, 'an expression is empty');
  }
  return expressions;
};

/** An object in cdk.json, or `key=value,key=value`. */
const readTags = (context: Context): Record<string, string> => {
  const value = context.raw('tags') ?? {};
  const pairs: [string, string][] =
    typeof value === 'object' && !Array.isArray(value)
      ? Object.entries(value as object).map(([name, text]) => [name, String(text)])
      : context.list('tags').map((pair) => {
          const [name = '', ...rest] = pair.split('=');
          if (rest.length === 0) context.report('tags', `"${pair}" is not of the form key=value`);
          return [name, rest.join('=')];
        });
  for (const [name, text] of pairs)
    if (!TAG_KEY.test(name) || !TAG_VALUE.test(text))
      context.report('tags', `"${name}=${text}" is not a tag that AWS accepts`);
  checkNumber(context, 'tags', pairs, MOST_TAGS);
  return Object.fromEntries(pairs);
};

const readExport = (context: Context): Export | undefined => {
  const bucket = context.text('exportBucket', BUCKET);
  const keyArn = context.text('exportKeyArn', KEY);
  const hours = context.whole('exportHours', 24, [1, 720]);
  if (bucket !== undefined) return { bucket, keyArn, hours };
  for (const key of ['exportKeyArn', 'exportHours'])
    if (context.raw(key) !== undefined) context.report(key, 'must be given with exportBucket');
  return undefined;
};

/** Lambda's limits; 0 means that there is no such function. */
const readWatchMegabytes = (context: Context): number => {
  const megabytes = context.whole('watchMegabytes', 128, [0, 10_240]);
  if (megabytes > 0 && megabytes < 128)
    context.report('watchMegabytes', `must be 0, or at least 128, not "${megabytes}"`);
  return megabytes;
};

/** The retention of the logs, and of the audit logs, which is the same unless another time is given. */
const readRetentions = (context: Context): Pick<Settings, 'logRetention' | 'auditRetention'> => {
  const logs = Number(context.raw('logRetentionDays') ?? RetentionDays.THREE_MONTHS);
  const audit = Number(context.raw('auditRetentionDays') ?? logs);
  return {
    logRetention: checkRetention(context, 'logRetentionDays', logs),
    auditRetention: audit === logs ? audit : checkRetention(context, 'auditRetentionDays', audit),
  };
};

/** A table that the stack keeps needs its key: without it, its Secrets cannot be opened. */
const readRemoveTable = (context: Context): boolean => {
  const isRemoved = context.flag('removeTable', false);
  if (isRemoved && context.text('tableName') !== undefined)
    context.report('removeTable', 'cannot be given with tableName: that table stays, and the key with it');
  return isRemoved;
};

/**
 * Reads the settings from the construct tree's context, for a place of deployment. Throws one Error that lists every
 * invalid value.
 */
export const readSettings = (node: Node, place: Place = {}): Settings => {
  const context = readContext(node);
  const sweepShards = context.whole('sweepShards', 1, [1, MOST_SHARDS]);
  const settings: Settings = {
    stackName: readName(context),
    tags: readTags(context),
    sweepMinutes: context.whole('sweepMinutes', 5, [1, 60]),
    sweepShards,
    fleetBrake: context.whole('fleetBrake', 50, [10, 100]),
    awsRateShare: context.whole('awsRateShare', 90, [10, 100]),
    apiCallEvents: context.flag('apiCallEvents', false),
    hosts: context.flag('hosts', false),
    ...readRetentions(context),
    concurrency: divideConcurrency(context.whole('lambdaConcurrency', 0, [0, 1_000_000]), sweepShards),
    watchesPerPrincipal: context.whole('watchesPerPrincipal', 40, [1, 1000]),
    watchMegabytes: readWatchMegabytes(context),
    namespaceQuota: readNamespaceQuota(context),
    adminPrincipals: readAdmins(context),
    editorPrincipals: readPrincipals(context, 'editorPrincipals'),
    viewerPrincipals: readPrincipals(context, 'viewerPrincipals'),
    trustedAccounts: context.list('trustedAccounts', ACCOUNT),
    syncMachineLabels: readExpressions(context, 'syncMachineLabels'),
    syncMachineAnnotations: readExpressions(context, 'syncMachineAnnotations'),
    assumableRoles: readAssumableRoles(context),
    instanceProfiles: readInstanceProfiles(context),
    extensionFunctions: context.list('extensionFunctions', EXTENSION),
    apiSourceRanges: readApiSourceRanges(context),
    alarms: readAlarms(context, place),
    permissionsBoundary: context.text('permissionsBoundary', BOUNDARY),
    roles: readRoleRules(context),
    logKeyArn: context.text('logKeyArn', KEY),
    useFipsEndpoints: context.flag('useFipsEndpoints', false),
    attachment: readAttachment(context),
    terminationProtection: context.flag('terminationProtection', true),
    destroyWithClusters: context.flag('destroyWithClusters', false),
    tableName: context.text('tableName', TABLE),
    sealKeyArn: context.text('sealKeyArn', KEY),
    export: readExport(context),
    removeTable: readRemoveTable(context),
    gatewayLogRole: context.flag('gatewayLogRole', true),
  };
  checkEnvironmentSize(context, settings);
  context.reportUnread();
  if (context.problems.length > 0) throw new Error(context.problems.join('\n'));
  return settings;
};
