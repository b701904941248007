/**
 * What the lifecycles of the clusters do not show, each with its reason. A reason that is not needed (any more) fails
 * the test.
 */

/** Grants that no recorded call uses: a part of the function's name, the action or resource, and the reason. */
export interface Unused {
  functions: RegExp;
  what: RegExp;
  reason: string;
  /** It depends on what happens first, so a lifecycle may use it. */
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
    functions: /-(api|watch|authorizer|cluster-objects|machine-objects|machine-node|pool-objects|guard)$/,
    what: /^\*$/,
    reason: 'Traces have no resource, and these functions are granted nothing else that has none.',
  },
  {
    functions: /-cluster-network$/,
    what: /^autoscaling:DescribeAccountLimits$|^ec2:GetEbsDefaultKmsKeyId$|^iam:GetRole$|:role\/aws-service-role\/|^kms:(GetKeyPolicy|ListGrants)$/,
    reason: 'Asked only if a pool is there before its cluster is created (infra/cli/plan asks the same).',
    sometimes: true,
  },
  {
    functions: /-events$/,
    what: /^sqs:(SendMessage|GetQueueAttributes|GetQueueUrl)$|^arn:aws:sqs:[^*]+DeadLetters\w+$/,
    reason: 'Lambda itself hands on events that failed; the form is that of the CDK.',
  },
  {
    functions: /-events$/,
    what: /^dynamodb:BatchGetItem$/,
    reason: 'Several objects that are asked for at the same moment are read at once.',
    sometimes: true,
  },
  {
    functions: /-(machine-node|drift|events)$/,
    what: /^states:StartExecution$|stateMachine:[\w-]+-converge-cluster$/,
    reason: 'A pass is started by whoever is first; where one is running or another was faster, nothing is started.',
    sometimes: true,
  },
  {
    functions: /-drift$/,
    what: /^secretsmanager:(Describe|Restore)Secret$|:secret:aws\.cluster\.x-k8s\.io\/\*$/,
    reason: 'Asked of machines that run and have no node after a minute; test/drift has one, and restores its secret.',
    sometimes: true,
  },
  {
    functions: /-machine-(objects|instance)$/,
    what: /^(secretsmanager:DeleteSecret|ssm:DeleteParameter)$|:(secret:aws\.|parameter\/)cluster\.x-k8s\.io\/\*$/,
    reason: 'Machines delete what they have read; what one leaves is deleted for it (test/tenants has such secrets).',
    sometimes: true,
  },
];

/** Changes that are allowed without our tags on what is changed: the action, the resource, and why. */
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
    reason: 'The VPC may be a person’s own; what is made in it carries the tag.',
  },
  {
    action: /^ec2:CreateNatGateway$/,
    resource: /:subnet\/$/,
    reason: 'The subnet may be a person’s own; the gateway and its address carry the tag.',
  },
  {
    action: /^ec2:AllocateAddress$/,
    resource: /:ipv4pool-ec2\/$/,
    reason: 'The pool is a person’s own; the address that is taken from it carries the tag.',
  },
  {
    action: /^ec2:RunInstances$/,
    resource: /:(image|key-pair|network-interface|security-group|subnet|placement-group|capacity-reservation)\/$/,
    reason: 'A launch uses what the machine template names, of any owner; the instance and its volumes carry the tag.',
  },
  {
    action: /^ec2:RunInstances$/,
    resource:
      /:(instance|volume|image|key-pair|network-interface|security-group|subnet|capacity-reservation)\/\?ec2:LaunchTemplate$/,
    reason: 'A group launches what its launch template names, and only by templates that carry the tag.',
  },
  {
    action: /^ec2:ModifyNetworkInterfaceAttribute$/,
    resource: /:security-group\/$/,
    reason: 'The groups that a machine names, of any owner; the interface carries the tag.',
  },
  {
    action: /^iam:(PassRole|CreateServiceLinkedRole)$/,
    resource: /:role\//,
    reason: 'Roles by name, for one service each.',
  },
  {
    action: /^s3:/,
    resource: /^/,
    reason: 'IAM knows no tags of buckets that were not set up for it; the prefix of the name stands for them.',
  },
  {
    action: /^ec2:(Create|Modify)VpcEndpoint$/,
    resource: /:(vpc|route-table)\/$/,
    reason: 'The VPC and its route tables may be a person’s own; the endpoint carries the tag.',
  },
  {
    action: /^ec2:CreateVpc$/,
    resource: /:(ipam-pool|ipv6pool-ec2)\/$/,
    reason: 'The pool is a person’s own; what is numbered by it carries the tag.',
  },
  {
    action: /^sts:(AssumeRole|SetSourceIdentity|TagSession)$/,
    resource: /:role\/$/,
    reason: 'Roles by name, of any account; whom they trust, and with which external id, the other account says.',
  },
  {
    action: /^ec2:DeleteSecurityGroup$/,
    resource: /:security-group\/$/,
    reason: 'A group of a cloud controller carries one tag, whose key ends in the name of the cluster.',
  },
  {
    action: /^ec2:RevokeSecurityGroup(Ingress|Egress)$/,
    resource: /:security-group\/$/,
    reason: 'The default group of a VPC carries no tag of ours; rules can only be taken away.',
  },
];
