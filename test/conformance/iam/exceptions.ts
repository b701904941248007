/**
 * Exceptions for what the recorded lifecycles do not show, each with its reason. An exception that is not needed fails
 * the test.
 */

/** Grants that no recorded call uses: the functions, the action or resource, and the reason. */
export interface Unused {
  functions: RegExp;
  what: RegExp;
  reason: string;
  /** The grant is used only in some runs, depending on the order of events. */
  sometimes?: true;
}

export const UNUSED: readonly Unused[] = [
  {
    functions: /./,
    what: /^logs:(CreateLogStream|PutLogEvents)$|:log-group:\/aws\/lambda\/[\w-]+:log-stream:\*$/,
    reason: 'Lambda itself writes what the function prints, with the function’s role.',
  },
  {
    functions: /./,
    what: /^xray:(PutTelemetryRecords|PutTraceSegments)$/,
    reason: 'Lambda itself sends the trace of an invocation, with the function’s role.',
  },
  {
    functions: /-(api|watch|changes|authorizer|cluster-objects|machine-objects|machine-node|pool-objects|guard)$/,
    what: /^\*$/,
    reason: 'Traces have no resource, and these functions are granted nothing else that has none.',
  },
  {
    functions: /-cluster-network$/,
    what: /^autoscaling:DescribeAccountLimits$|^ec2:GetEbsDefaultKmsKeyId$|^iam:GetRole$|:role\/aws-service-role\/|^kms:(GetKeyPolicy|ListGrants)$/,
    reason: 'Needed only if a pool exists before its cluster is created (infra/cli/plan does the same).',
    sometimes: true,
  },
  {
    functions: /-machine-instance$/,
    what: /:network-interface\/\*$/,
    reason: 'An address is associated with an interface only if the instance has several (test/machine-lifecycle).',
  },
  {
    functions: /-machine-target$/,
    what: /^dynamodb:Query$|:table\/[^/]+\/index\/\*$/,
    reason: 'Infrastructure is listed only if a Machine in deletion no longer refers to it (test/permissions).',
  },
  {
    functions: /-events$/,
    what: /^sqs:(SendMessage|GetQueueAttributes|GetQueueUrl)$|^arn:aws:sqs:[^*]+DeadLetters\w+$/,
    reason: 'Lambda itself delivers failed events; the form is that of the CDK.',
  },
  {
    functions: /-events$/,
    what: /^dynamodb:BatchGetItem$/,
    reason: 'Several objects that are requested at the same moment are read at once.',
    sometimes: true,
  },
  {
    functions: /-(machine-node|drift|events|changes)$/,
    what: /^states:StartExecution$|stateMachine:[\w-]+-converge-cluster$/,
    reason: 'The first one starts a pass; if one is running or another was faster, nothing is started.',
    sometimes: true,
  },
  {
    functions: /-drift$/,
    what: /^(secretsmanager:(Describe|Delete|Restore)Secret|s3:DeleteObject)$|:secret:aws\.cluster\.x-k8s\.io\/\*$|:::cluster-api-provider-aws-\*\/\*$/,
    reason:
      'Called for machines that run and have no node after a minute, and for data that arrived late (both in test/drift).',
    sometimes: true,
  },
  {
    functions: /-machine-(objects|instance)$/,
    what: /^(secretsmanager:DeleteSecret|ssm:DeleteParameter)$|:(secret:aws\.|parameter\/)cluster\.x-k8s\.io\/\*$/,
    reason: 'Machines delete what they have read; the functions delete what is left (test/tenants has such secrets).',
    sometimes: true,
  },
];

/** Changes that are allowed although the resource lacks Windlass's tags: the action, the resource, and the reason. */
export interface Untagged {
  action: RegExp;
  resource: RegExp;
  reason: string;
}

export const UNTAGGED: readonly Untagged[] = [
  {
    action: /^(dynamodb|kms|states):/,
    resource: /^/,
    reason: 'The stack’s own table, key and workflows, by their ARNs.',
  },
  {
    action: /^lambda:InvokeFunction$/,
    resource: /^/,
    reason: 'Extensions are functions of others; the installation lists their ARNs.',
  },
  {
    action: /^ec2:Create(Subnet|RouteTable|SecurityGroup|EgressOnlyInternetGateway|CarrierGateway)$/,
    resource: /:vpc\/$/,
    reason: 'The VPC may be a user’s own; what is created in it has the tag.',
  },
  {
    action: /^ec2:CreateNatGateway$/,
    resource: /:subnet\/$/,
    reason: 'The subnet may be a user’s own; the gateway and its address have the tag.',
  },
  {
    action: /^ec2:AllocateAddress$/,
    resource: /:ipv4pool-ec2\/$/,
    reason: 'The pool is a user’s own; the address that is allocated from it has the tag.',
  },
  {
    action: /^ec2:RunInstances$/,
    resource: /:(image|key-pair|network-interface|security-group|subnet|placement-group|capacity-reservation)\/$/,
    reason: 'A launch uses what the machine template names, of any owner; the instance and its volumes have the tag.',
  },
  {
    action: /^ec2:RunInstances$/,
    resource: /:spot-instances-request\/$/,
    reason:
      'A launch that an earlier version decided requests the spot instance without tags; the instance has the tag.',
  },
  {
    action: /^ec2:RunInstances$/,
    resource:
      /:(instance|volume|image|key-pair|network-interface|security-group|subnet|capacity-reservation)\/\?ec2:LaunchTemplate$/,
    reason: 'A group launches what its launch template names, and only from templates that have the tag.',
  },
  {
    action: /^ec2:ModifyNetworkInterfaceAttribute$/,
    resource: /:security-group\/$/,
    reason: 'The groups that a machine names, of any owner; the interface has the tag.',
  },
  {
    action: /^iam:(PassRole|CreateServiceLinkedRole)$/,
    resource: /:role\//,
    reason: 'Roles by name, for one service each.',
  },
  {
    action: /^s3:/,
    resource: /^/,
    reason: 'IAM supports tags of buckets only if they were set up for it; the prefix of the name is used instead.',
  },
  {
    action: /^ec2:(Create|Modify)VpcEndpoint$/,
    resource: /:(vpc|route-table)\/$/,
    reason: 'The VPC and its route tables may be a user’s own; the endpoint has the tag.',
  },
  {
    action: /^ec2:CreateVpc$/,
    resource: /:(ipam-pool|ipv6pool-ec2)\/$/,
    reason: 'The pool is a user’s own; what gets its range from it has the tag.',
  },
  {
    action: /^sts:(AssumeRole|SetSourceIdentity|TagSession)$/,
    resource: /:role\/$/,
    reason: 'Roles by name, of any account; the other account decides whom they trust, and with which external id.',
  },
  {
    action: /^ec2:DeleteSecurityGroup$/,
    resource: /:security-group\/$/,
    reason: 'A group of a cloud controller has one tag, whose key ends in the name of the cluster.',
  },
  {
    action: /^ec2:RevokeSecurityGroup(Ingress|Egress)$/,
    resource: /:security-group\/$/,
    reason: 'The default group of a VPC has none of Windlass’s tags; rules can only be removed.',
  },
];
