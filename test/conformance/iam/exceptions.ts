/** What the life of the clusters does not show, each with its reason. A reason that is not needed (any more) fails the test. */

/** Grants that no recorded call uses: a part of the function's name, the action or resource, and why it stays. */
export interface Unused {
  functions: RegExp;
  what: RegExp;
  reason: string;
  /** It depends on what happens first, so that a life may well use it. */
  sometimes?: true;
}

export const UNUSED: readonly Unused[] = [
  {
    functions: /./,
    what: /^logs:|:log-group:/,
    reason: 'Lambda itself writes what the function prints, with the function’s role.',
  },
  {
    functions: /./,
    what: /^xray:/,
    reason: 'Lambda itself sends the trace of an invocation, with the function’s role.',
  },
  {
    functions: /-(api|authorizer|cluster-objects|machine-objects|machine-node|guard)$/,
    what: /^\*$/,
    reason: 'Traces have no resource, and these functions are granted nothing else that has none.',
  },
  {
    functions: /./,
    what: /^sts:|:role\/\*\.cluster-api-provider-aws/,
    reason: 'The clusters are of the functions’ own account; test/cluster-infrastructure/spoke.test.ts assumes a role.',
  },
  {
    functions: /network|load-balancer|target|events/,
    what: /^kms:Decrypt|^arn:aws:kms:/,
    reason: 'Opens the access key of a static identity, which no recorded cluster has.',
  },
  {
    functions: /network/,
    what: /^ec2:(Create|Delete)Tags$|:subnet\/\*$/,
    reason: 'The subnets of a VPC that a user brought get and lose tags; none of the clusters is in such a VPC.',
  },
  {
    functions: /-events$/,
    what: /^sqs:|^arn:aws:sqs:/,
    reason: 'Lambda itself hands on events that failed; the form is that of the CDK.',
  },
  {
    functions: /./,
    what: /^dynamodb:(BatchGetItem|Query|PutItem|UpdateItem|DeleteItem)$|:table\/[\w-]+\/index\/\*$/,
    reason:
      'All functions speak to the table through one store. Which of its calls a path takes depends on the objects: a list, an index, an event that repeats, a last finalizer.',
  },
  {
    functions: /-(machine-node|drift|events)$/,
    what: /^states:StartExecution$|stateMachine:[\w-]+-converge-cluster$/,
    reason: 'A pass is started by whoever is first; where one is running or another was faster, nothing is started.',
    sometimes: true,
  },
  {
    functions: /-(drift|cluster-workload)$/,
    what: /^kms:|^arn:aws:kms:/,
    reason: 'A Secret that loses or gets an owner is opened and sealed again: garbage collection, ClusterResourceSets.',
  },
  {
    functions: /-cluster-workload$/,
    what: /^ec2:DescribeInstances$|^\*$/,
    reason: 'Asked only of nodes that have no machine any more.',
  },
  {
    functions: /-drift$/,
    what: /^secretsmanager:(Describe|Restore)Secret$|:secret:aws\.cluster\.x-k8s\.io\/\*$/,
    reason: 'Asked of machines that run and have no node after a minute; test/drift has one, and restores its secret.',
    sometimes: true,
  },
  {
    functions: /-machine-instance$/,
    what: /^s3:GetObject$/,
    reason: 'The role signs the address by which a machine fetches its bootstrap data; the machine makes the call.',
  },
  {
    functions: /-(cluster-network|drift)$/,
    what: /^ec2:(CreateTags|ReplaceRoute|RevokeSecurityGroupEgress|StartInstances|TerminateInstances|Modify\w+)$|:(instance|network-interface|security-group)\/\*$/,
    reason:
      'What somebody else has changed is put right: a tag, a route, a rule that refers to another group, an instance.',
  },
  {
    functions: /-cluster-load-balancer$/,
    what: /^elasticloadbalancing:(RemoveTags|SetIpAddressType)$/,
    reason:
      'Tags that are taken out of the spec, and IPv6: test/cluster-infrastructure has both, the recorded clusters neither.',
  },
  {
    functions: /network|-drift$/,
    what: /^ec2:.*(EgressOnly|Carrier|VpcEndpoint|Pool|CidrBlock)|:(egress-only-internet-gateway|carrier-gateway|vpc-endpoint|ipam-pool|ipv[46]pool-ec2|route-table)\/\*$|^ec2:RevokeSecurityGroup/,
    reason:
      'IPv6, pools, edge zones, endpoints: test/cluster-infrastructure/dual-stack.test.ts makes these; no recorded cluster does.',
  },
  {
    functions: /network/,
    what: /^ec2:(AllocateAddress|CreateVpc)$/,
    reason: 'The second statement of each is about pools that a person keeps, which no recorded cluster uses.',
  },
  {
    functions: /-machine-instance$/,
    what: /^(secretsmanager:DeleteSecret|ssm:DeleteParameter|s3:DeleteObject)$|:secret:aws\.cluster\.x-k8s\.io\/\*$/,
    reason:
      'Only a machine that goes before it has joined still has its data then; machine-objects deletes the others.',
    sometimes: true,
  },
  {
    functions: /network/,
    what: /^ec2:(DeleteVolume|DescribeRegions)$|:volume\/\*$/,
    reason:
      'No recorded cluster has volumes of its own or is in another region: test/cluster-infrastructure has both, in garbage.test.ts and bad-input.test.ts.',
  },
  {
    functions: /network/,
    what: /:(key-pair|security-group)\/\*$/,
    reason: 'A bastion with an SSH key, and groups that cloud controllers made or that came with the VPC.',
  },
  {
    functions: /load-balancer/,
    what: /^elasticloadbalancing:Delete(LoadBalancer|TargetGroup)$|:(loadbalancer|targetgroup)\/\*$/,
    reason:
      'What cloud controllers made is deleted with the cluster: test/cluster-infrastructure/garbage.test.ts. None runs in the recorded clusters.',
  },
  {
    functions: /-cluster-workload$/,
    what: /^ec2:DescribeImages$/,
    reason: 'Asked only of machine templates that name an image by its id.',
  },
  {
    functions: /-machine-instance$/,
    what: /^ec2:Describe(SecurityGroups|Subnets)$|:(capacity-reservation|dedicated-host|placement-group)\/\*$/,
    reason:
      'Filters in place of ids, and placements: fields that no recorded machine sets (shared/plan/launch has their tests).',
  },
  {
    functions: /-machine-instance$/,
    what: /^ssm:GetParameter$|^arn:aws:ssm:/,
    reason: 'Images by public parameters, and bootstrap data in the Parameter Store: no recorded machine has either.',
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
    action: /^ec2:Create(Subnet|RouteTable|SecurityGroup)$/,
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
    resource: /:(image|key-pair|network-interface|security-group|subnet)\/$/,
    reason: 'A launch uses what the machine template names, of any owner; the instance and its volumes carry the tag.',
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
    action: /^(secretsmanager:DeleteSecret|ssm:DeleteParameter)$/,
    resource: /cluster\.x-k8s\.io\//,
    reason: 'The machine deletes it first; of what is gone AWS knows no tags, and would deny what should find nothing.',
  },
  {
    action: /^ec2:CreateVpcEndpoint$/,
    resource: /:(vpc|route-table)\/$/,
    reason: 'The VPC and its route tables may be a person’s own; the endpoint carries the tag.',
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
