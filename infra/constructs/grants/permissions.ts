import { Aws } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { portions } from './portions.ts';

/**
 * Every AWS resource that Windlass creates has both tags from the start; they are those of Cluster API's AWS provider.
 */
const CLUSTER_TAG = 'sigs.k8s.io/cluster-api-provider-aws/cluster/*';
export const ROLE_TAG = 'sigs.k8s.io/cluster-api-provider-aws/role';

/** IAM can match the key of a tag by a pattern only in TagKeys. */
export const WITH_CLUSTER_TAG = { 'ForAnyValue:StringLike': { 'aws:TagKeys': [CLUSTER_TAG] } };

/** Clusters may be in another region than the stack, so only the account is fixed. */
export const arns = (service: string, types: readonly string[]): string[] =>
  types.map((type) => `arn:${Aws.PARTITION}:${service}:*:${Aws.ACCOUNT_ID}:${type}/*`);

export const statement = (
  actions: string[],
  resources: string[],
  conditions: Record<string, unknown> = {},
): PolicyStatement => new PolicyStatement({ actions, resources, conditions });

/** Reading has no resource-level permissions in EC2 and ELBv2. */
export const reading = (service: string, actions: readonly string[]): PolicyStatement =>
  statement(
    actions.map((action) => `${service}:${action}`),
    ['*'],
  );

/** Permits a creation only with the ownership tag in the same call. */
export const creating = (service: string, actions: readonly string[], types: readonly string[]): PolicyStatement =>
  statement(
    actions.map((action) => `${service}:${action}`),
    arns(service, types),
    WITH_CLUSTER_TAG,
  );

/**
 * Permits the use of a resource in a creation, without a change to it, such as the VPC of a new subnet. It may be the
 * user's own.
 */
export const referring = (service: string, actions: readonly string[], types: readonly string[]): PolicyStatement =>
  statement(
    actions.map((action) => `${service}:${action}`),
    arns(service, types),
  );

/**
 * The same for resources that another account may share with AWS Resource Access Manager; that account decides what it
 * shares.
 */
export const referringShared = (
  service: string,
  actions: readonly string[],
  types: readonly string[],
): PolicyStatement =>
  statement(
    actions.map((action) => `${service}:${action}`),
    types.map((type) => `arn:${Aws.PARTITION}:${service}:*:*:${type}/*`),
  );

/** Permits a change or deletion only of resources with the role tag, whose key is the same for every cluster. */
export const changing = (service: string, actions: readonly string[], types: readonly string[]): PolicyStatement =>
  statement(
    actions.map((action) => `${service}:${action}`),
    arns(service, types),
    { Null: { [`aws:ResourceTag/${ROLE_TAG}`]: 'false' } },
  );

/** Keys that record which cluster uses a subnet, possibly the user's own, and for what. */
const SHARING_TAGS = [
  'kubernetes.io/cluster/*',
  'kubernetes.io/role/elb',
  'kubernetes.io/role/internal-elb',
  'windlass.dev/tagged-for/*',
];

/** Permits adding and removing only these tags, on subnets of a user's VPC or of one that another account shares. */
export const sharingSubnets = (): PolicyStatement =>
  statement(['ec2:CreateTags', 'ec2:DeleteTags'], [`arn:${Aws.PARTITION}:ec2:*:*:subnet/*`], {
    'ForAllValues:StringLike': { 'aws:TagKeys': SHARING_TAGS },
    Null: { 'aws:TagKeys': 'false' },
  });

/**
 * Permits the deletion of resources with a tag of the cloud controller manager or of the AWS Load Balancer Controller.
 * The conditions of one statement are combined with AND, so each tag has its own statement.
 */
export const deletingOfControllers = (
  service: string,
  actions: readonly string[],
  types: readonly string[],
): PolicyStatement[] =>
  ['kubernetes.io/service-name', 'elbv2.k8s.aws/cluster'].map((key) =>
    statement(
      actions.map((action) => `${service}:${action}`),
      arns(service, types),
      { Null: { [`aws:ResourceTag/${key}`]: 'false' } },
    ),
  );

/**
 * A VPC may get its range from pools that a user manages. IPAM pools have no region in their names, and an
 * organization's IPAM account shares them with the other accounts; the others are BYOIP pools.
 */
export const usingAddressPools = (): PolicyStatement =>
  statement(
    ['ec2:CreateVpc'],
    [`arn:${Aws.PARTITION}:ec2::*:ipam-pool/*`, `arn:${Aws.PARTITION}:ec2:*:${Aws.ACCOUNT_ID}:ipv6pool-ec2/*`],
  );

/**
 * A VPC's default security group has no tags to check, because AWS creates it. Rules can only be removed, which only
 * reduces access.
 */
export const emptyingDefaultGroups = (): PolicyStatement =>
  statement(['ec2:RevokeSecurityGroupIngress', 'ec2:RevokeSecurityGroupEgress'], arns('ec2', ['security-group']), {
    Null: { [`aws:ResourceTag/${ROLE_TAG}`]: 'true' },
  });

/** Tags may be set only in the call that creates a resource, and must include the ownership tag. */
export const taggingOnCreate = (createActions: readonly string[], types: readonly string[]): PolicyStatement =>
  statement(['ec2:CreateTags'], arns('ec2', types), {
    StringEquals: { 'ec2:CreateAction': [...createActions] },
    ...WITH_CLUSTER_TAG,
  });

/**
 * Tags for new rules. IAM checks the permission for a rule only if the rule gets tags. Source: Service Authorization
 * Reference, "Actions defined by Amazon EC2". The group of the rule is checked as well.
 */
export const taggingRules = (): PolicyStatement[] => [
  creating('ec2', ['AuthorizeSecurityGroupIngress'], ['security-group-rule']),
  taggingOnCreate(['AuthorizeSecurityGroupIngress'], ['security-group-rule']),
];

/** The ways in which functions use the table; none scans it. */
const TABLE_USES = {
  /** Single objects, and several in one call. */
  read: ['GetItem', 'BatchGetItem'],
  /** Single objects, one at a time. */
  get: ['GetItem'],
  /** Counters and budgets. */
  update: ['UpdateItem'],
  /** Objects, events, and the counters of their versions. */
  write: ['PutItem', 'UpdateItem'],
  /** Lists, from the table and its indexes. */
  list: ['Query'],
  /** Lists from the table only, of one kind in one namespace. */
  query: ['Query'],
  /** Takes a slot and releases it. */
  hold: ['PutItem', 'DeleteItem'],
  /** Items that are removed permanently: leases, and the links from deleted objects to their owners. */
  delete: ['DeleteItem'],
} as const;

export const usingTable = (tableArn: string, uses: readonly (keyof typeof TABLE_USES)[]): PolicyStatement =>
  statement(
    uses.flatMap((use) => TABLE_USES[use]).map((action) => `dynamodb:${action}`),
    [tableArn, ...(uses.includes('list') ? [`${tableArn}/index/*`] : [])],
  );

/** Encrypts and decrypts Secret objects. */
export const usingSealKey = (keyArn: string): PolicyStatement =>
  statement(['kms:GenerateDataKey', 'kms:Decrypt'], [keyArn]);

/** Only decrypts Secret objects: the bootstrap data of machines, and the access key of a static identity. */
export const openingSecrets = (keyArn: string): PolicyStatement => statement(['kms:Decrypt'], [keyArn]);

/** Assumes the roles that clusters' identities name, with session tags and a source identity. */
export const assumingRoles = (patterns: readonly string[]): PolicyStatement[] =>
  portions(patterns).map((some) => statement(['sts:AssumeRole', 'sts:SetSourceIdentity', 'sts:TagSession'], some));

/** Invokes functions that are extensions of topologies; none unless the installation lists them. */
export const invokingExtensions = (functions: readonly string[]): PolicyStatement[] =>
  portions(functions).map((some) => statement(['lambda:InvokeFunction'], some));

export const startingExecutions = (stateMachineArns: readonly string[]): PolicyStatement =>
  statement(['states:StartExecution'], [...stateMachineArns]);

/** Passes the instances' own roles: those that the installation lists; each has the name of its profile. */
export const passingInstanceRoles = (names: readonly string[]): PolicyStatement =>
  statement(
    ['iam:PassRole'],
    names.map((name) => `arn:${Aws.PARTITION}:iam::${Aws.ACCOUNT_ID}:role/${name}`),
    {
      StringLike: { 'iam:PassedToService': 'ec2.amazonaws.com*' },
    },
  );

/**
 * The first load balancer and the first spot instance in an account need the service's own role, which AWS then
 * creates.
 */
export const makingServiceRole = (service: string, role: string): PolicyStatement =>
  statement(
    ['iam:CreateServiceLinkedRole'],
    [`arn:${Aws.PARTITION}:iam::${Aws.ACCOUNT_ID}:role/aws-service-role/${service}.amazonaws.com/${role}`],
    { StringEquals: { 'iam:AWSServiceName': `${service}.amazonaws.com` } },
  );

const USER_DATA = `arn:${Aws.PARTITION}:secretsmanager:*:${Aws.ACCOUNT_ID}:secret:aws.cluster.x-k8s.io/*`;
const PARAMETERS = `arn:${Aws.PARTITION}:ssm:*:${Aws.ACCOUNT_ID}:parameter/cluster.x-k8s.io/*`;

/** Creates the user data for a machine. */
export const makingUserData = (): PolicyStatement =>
  statement(['secretsmanager:CreateSecret', 'secretsmanager:TagResource'], [USER_DATA], WITH_CLUSTER_TAG);

/** The condition for resources of Windlass: they have the role tag. */
const OURS = { Null: { [`aws:ResourceTag/${ROLE_TAG}`]: 'false' } };

/**
 * Checks the owner of a secret, and deletes it. AWS returns no tags for a secret that its machine has already deleted;
 * so the secret is looked up first, and not deleted again.
 */
export const deletingUserData = (): PolicyStatement[] => [
  statement(['secretsmanager:DescribeSecret'], [USER_DATA]),
  statement(['secretsmanager:DeleteSecret'], [USER_DATA], OURS),
];

/**
 * Restores user data that was marked for deletion, and deletes what a late request has created. AWS returns no tags for
 * what its machine has deleted, as above.
 */
export const sweepingUserData = (): PolicyStatement[] => [
  statement(['secretsmanager:DescribeSecret'], [USER_DATA]),
  statement(['secretsmanager:DeleteSecret', 'secretsmanager:RestoreSecret'], [USER_DATA], OURS),
];

/** The same in the Parameter Store, with the account's own key for it, which needs no grant. */
export const makingParameters = (): PolicyStatement =>
  statement(['ssm:PutParameter', 'ssm:AddTagsToResource'], [PARAMETERS], WITH_CLUSTER_TAG);

export const deletingParameters = (): PolicyStatement[] => [
  statement(['ssm:ListTagsForResource'], [PARAMETERS]),
  statement(['ssm:DeleteParameter'], [PARAMETERS], OURS),
];

/** Buckets of clusters; Cluster API's AWS provider grants its own permissions for this prefix. */
const BUCKETS = `arn:${Aws.PARTITION}:s3:::cluster-api-provider-aws-*`;

export const keepingBuckets = (actions: readonly string[]): PolicyStatement =>
  statement(
    actions.map((action) => `s3:${action}`),
    [BUCKETS],
  );

/**
 * Writes bootstrap data for Ignition, only to our own account: the ARN of a bucket contains no account, and anyone may
 * take a free name.
 */
export const writingObjects = (): PolicyStatement =>
  statement(['s3:PutObject'], [`${BUCKETS}/*`], { StringEquals: { 'aws:ResourceAccount': Aws.ACCOUNT_ID } });

/** Serves these objects, and deletes them. */
export const keepingObjects = (actions: readonly string[]): PolicyStatement =>
  statement(
    actions.map((action) => `s3:${action}`),
    [`${BUCKETS}/*`],
  );

/** The ARN of a public image contains no account. */
export const usingImages = (): PolicyStatement =>
  statement(['ec2:RunInstances'], [`arn:${Aws.PARTITION}:ec2:*::image/*`]);

/**
 * Auto Scaling requires that a caller that assigns a launch template to a group could launch the same instances
 * directly. This permits it only with templates that were created for clusters. Source: Amazon EC2 Auto Scaling User
 * Guide, "Control Amazon EC2 launch template usage".
 */
export const launchingByTemplate = (): PolicyStatement[] => [
  statement(
    ['ec2:RunInstances'],
    [
      ...arns('ec2', ['instance', 'volume', 'network-interface', 'key-pair']),
      ...['subnet', 'security-group', 'capacity-reservation'].map((type) => `arn:${Aws.PARTITION}:ec2:*:*:${type}/*`),
      `arn:${Aws.PARTITION}:ec2:*::image/*`,
    ],
    { ArnLike: { 'ec2:LaunchTemplate': arns('ec2', ['launch-template']) } },
  ),
  changing('ec2', ['RunInstances'], ['launch-template']),
  taggingOnCreate(['RunInstances'], ['instance', 'volume']),
];

/** Reads ids of images: those that their publishers provide, and those next to the user data of machines. */
export const readingImageParameters = (): PolicyStatement =>
  statement(
    ['ssm:GetParameter'],
    [
      `arn:${Aws.PARTITION}:ssm:*::parameter/aws/service/*`,
      `arn:${Aws.PARTITION}:ssm:*:${Aws.ACCOUNT_ID}:parameter/cluster.x-k8s.io/*`,
    ],
  );
