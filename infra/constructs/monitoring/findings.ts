import { Aws, type CfnElement, type Stack, Validations } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { BALANCING_RIGHTS } from '../../../shared/providers/aws/load-balancer/drivers.ts';
import { NETWORK_RIGHTS } from '../../../shared/providers/aws/network/rights.ts';
import { deployedFunctions } from '../../bundle/entries.ts';
import type { Settings } from '../settings.ts';
import { isAttached } from '../workflow/attachment.ts';
import { constructIdOf } from '../workflow/step.ts';

const ACCOUNT = '<AWS::AccountId>';
const PARTITION = '<AWS::Partition>';

const wildcard = (resource: string): string => `AwsSolutions::AwsSolutions-IAM5[Resource::${resource}]`;

const anyOf = (service: string, types: readonly string[]): string[] =>
  types.map((type) => `arn:${PARTITION}:${service}:*:${ACCOUNT}:${type}/*`);

/** Intended wildcards in roles, by the reason that makes them safe. */
const WILDCARDS: Readonly<Record<string, readonly string[]>> = {
  "Created and changed only under a condition on the ownership tags; the ids are AWS's own and not known before.": [
    ...anyOf('ec2', NETWORK_RIGHTS.types),
    ...anyOf('ec2', ['instance', 'volume', 'network-interface', 'launch-template', 'security-group-rule']),
    ...anyOf('autoscaling', ['autoScalingGroup:*:autoScalingGroupName']),
    ...anyOf('elasticloadbalancing', BALANCING_RIGHTS.types),
  ],
  'RunInstances refers to resources that the machine template names, which may have any owner.': [
    ...anyOf('ec2', ['key-pair', 'dedicated-host']),
    `arn:${PARTITION}:ec2:*::image/*`,
  ],
  'A request for a spot instance is made with the instance, for which a condition on the ownership tags holds.': [
    ...anyOf('ec2', ['spot-instances-request']),
  ],
  'What another account shares by Resource Access Manager; that account decides what may be used.': [
    ...['vpc', 'subnet', 'security-group', 'placement-group', 'capacity-reservation'].map(
      (type) => `arn:${PARTITION}:ec2:*:*:${type}/*`,
    ),
  ],
  'Used only by EC2 and for volumes, otherwise only read; the policy of a key, of whatever account, decides who may.': [
    `arn:${PARTITION}:kms:*:*:key/*`,
  ],
  'Parameters that AWS itself publishes; reading them is all that is granted.': [
    `arn:${PARTITION}:ssm:*::parameter/aws/service/*`,
  ],
  'A person manages address pools and a cluster names them; only VPCs and addresses are allocated from them.': [
    ...anyOf('ec2', ['ipv4pool-ec2', 'ipv6pool-ec2']),
    `arn:${PARTITION}:ec2::*:ipam-pool/*`,
  ],
  'The types of machines decide which quotas count; reading them is all that is granted.': [
    ...anyOf('servicequotas', ['ec2', 'vpc', 'elasticloadbalancing']),
  ],
  'Machines may name any instance profile; only its existence is checked.': [
    `arn:${PARTITION}:iam::${ACCOUNT}:instance-profile/*`,
  ],
  'Only roles that trust Auto Scaling can be used by it; none of the roles of machines does.': [
    `arn:${PARTITION}:iam::${ACCOUNT}:role/*.cluster-api-provider-aws.sigs.k8s.io`,
  ],
  'Only buckets with the prefix that marks those of clusters.': [
    `arn:${PARTITION}:s3:::cluster-api-provider-aws-*`,
    `arn:${PARTITION}:s3:::cluster-api-provider-aws-*/*`,
  ],
  'Only secrets with the prefix that marks user data of machines.': [
    `arn:${PARTITION}:secretsmanager:*:${ACCOUNT}:secret:aws.cluster.x-k8s.io/*`,
    `arn:${PARTITION}:ssm:*:${ACCOUNT}:parameter/cluster.x-k8s.io/*`,
  ],
};

const OWN_LOG = 'The log streams of one function: Lambda chooses their names.';
const READ_ONLY =
  'Describe calls of EC2, ELBv2 and Auto Scaling, GetEbsDefaultKmsKeyId and ListExports have no resource-level permissions.';
const DELIVERY = 'Tracing (X-Ray) and log delivery of state machines have no resource-level permissions.';

const FAILURES_ONLY =
  'All events are in the history of an execution for 90 days; writing each to a log as well costs more than all other logs.';

const TRACES = 'Lambda itself sends the traces of a function (X-Ray), which has no resource-level permissions.';
const INTERFACES = 'Lambda requires these permissions on all resources before it gives a function an address in a VPC.';
const DEAD_LETTERS = 'It is the dead-letter queue of others; only people read messages from it.';

const ASSUMABLE = 'Roles that are named at the deployment, or that have the suffix of the roles of clusters.';

const ANY_VERSION = 'Invokes exactly this function, in any version of it: the form that the CDK gives the grant.';

const API_FINDINGS: Readonly<Record<string, string>> = {
  'AwsSolutions-APIG2': 'The function validates every body with the schema of its kind and answers as Kubernetes does.',
  'AwsSolutions-APIG3':
    'Only signed callers get past the authorizer and the stage is throttled. A web ACL costs money while nothing happens; an operator may attach one.',
  'AwsSolutions-COG4': 'Callers are IAM principals; the Lambda authorizer verifies their signed tokens at STS.',
  [`AwsSolutions-IAM4[Policy::arn:${PARTITION}:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]`]:
    'The managed policy that API Gateway requires for writing its logs.',
};

const WORKFLOWS = ['ConvergeCluster', 'ProvisionMachine', 'RemoveMachine', 'ConvergePool'];
const READERS = [
  'ClusterNetwork',
  'ClusterLoadBalancer',
  'ClusterWorkload',
  'MachineInstance',
  'MachineTarget',
  'PoolGroup',
  'Drift',
  'Events',
];

/** The ARN of a table in cdk-nag's format: a resource of the stack, or an external table by its name. */
const arnOf = (stack: Stack, { node, tableName }: ITable): string =>
  node.defaultChild === undefined
    ? `arn:${PARTITION}:dynamodb:<AWS::Region>:${ACCOUNT}:table/${tableName}`
    : `<${stack.getLogicalId(node.defaultChild as CfnElement)}.Arn>`;

/** Accepts findings of cdk-nag, each with its reason and as narrowly as cdk-nag can express it. */
export const acknowledgeFindings = (
  stack: Stack,
  own: { table: ITable; functions: readonly CfnElement[]; settings: Settings },
): void => {
  const accept = (id: string, reason: string, child?: string): void => {
    const scope = child === undefined ? stack : stack.node.findChild(child);
    Validations.of(scope).acknowledge({ id, reason });
  };
  for (const [reason, resources] of Object.entries(WILDCARDS))
    for (const resource of resources) accept(wildcard(resource), reason);
  for (const [id, reason] of Object.entries(API_FINDINGS)) accept(`AwsSolutions::${id}`, reason, 'Gateway');
  for (const name of deployedFunctions(own.settings)) {
    const group = `/aws/lambda/${stack.stackName}-${name}`;
    accept(wildcard(`arn:${PARTITION}:logs:<AWS::Region>:${ACCOUNT}:log-group:${group}:log-stream:*`), OWN_LOG);
    accept(wildcard('*'), TRACES, constructIdOf(name));
    if (isAttached(name, own.settings.attachment)) accept(wildcard('*'), INTERFACES, constructIdOf(name));
  }
  accept(wildcard(`${arnOf(stack, own.table)}/index/*`), 'All indexes of the one table of objects.');
  for (const role of own.settings.assumableRoles) {
    if (role.includes('*')) accept(wildcard(role.replace(Aws.PARTITION, PARTITION)), ASSUMABLE);
  }
  accept('AwsSolutions::AwsSolutions-SQS3', DEAD_LETTERS, 'InstanceEvents');
  for (const reader of READERS) accept(wildcard('*'), READ_ONLY, reader);
  for (const workflow of WORKFLOWS) {
    accept(wildcard('*'), DELIVERY, workflow);
    accept('AwsSolutions::AwsSolutions-SF1', FAILURES_ONLY, workflow);
    for (const step of own.functions) accept(wildcard(`<${stack.getLogicalId(step)}.Arn>:*`), ANY_VERSION, workflow);
  }
};
