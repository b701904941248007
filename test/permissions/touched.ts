/** The resources in the input of a call, with their tags before the call. */
import type { Account } from '../../infra/local/account.ts';
import type { RecordedCall } from '../../infra/local/recorded-call.ts';
import { volumeKeysOf } from './volume-keys.ts';

/** A resource as IAM knows it. */
export interface Touched {
  arn: string;
  tags: Readonly<Record<string, string>>;
  /** False if the resource does not exist (any more): AWS reports this before it checks permissions. */
  exists: boolean;
  /** Further context keys, for example `ec2:Vpc`. */
  context?: Readonly<Record<string, string>>;
}

/** The prefixes of EC2's ids, with IAM's names of the types. */
const TYPES: Readonly<Record<string, string>> = {
  vpc: 'vpc',
  subnet: 'subnet',
  igw: 'internet-gateway',
  eigw: 'egress-only-internet-gateway',
  cagw: 'carrier-gateway',
  nat: 'natgateway',
  eipalloc: 'elastic-ip',
  rtb: 'route-table',
  sg: 'security-group',
  sgr: 'security-group-rule',
  vpce: 'vpc-endpoint',
  dopt: 'dhcp-options',
  i: 'instance',
  eni: 'network-interface',
  vol: 'volume',
  ami: 'image',
  snap: 'snapshot',
  lt: 'launch-template',
  pg: 'placement-group',
  cr: 'capacity-reservation',
  h: 'dedicated-host',
  'ipam-pool': 'ipam-pool',
  'ipv4pool-ec2': 'ipv4pool-ec2',
  'ipv6pool-ec2': 'ipv6pool-ec2',
};

/** ARNs of images and snapshots contain no account. */
const UNOWNED = ['image', 'snapshot'];

/** ARNs of IPAM pools contain no region. */
const WORLDWIDE = ['ipam-pool'];

/** Resources in the simulated account's settings, instead of in its tables. */
const KEPT = ['ipam-pool', 'ipv4pool-ec2', 'ipv6pool-ec2', 'capacity-reservation'];

const EC2_ID = /^([a-z]+|ipam-pool|ipv[46]pool-ec2)-[0-9a-f]{8,17}$/;

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  if (value instanceof Uint8Array) return [];
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(textsIn);
  return [];
};

type Ec2 = ReturnType<Account['ec2']>;
type Row = { id: string; tags: ReadonlyMap<string, string> };

const isTable = (value: unknown): value is { find(id: string): Row | undefined } =>
  typeof value === 'object' && value !== null && 'find' in value && 'seen' in value;

const rowOf = (ec2: Ec2, id: string): Row | undefined =>
  Object.values(ec2).flatMap((table) => (isTable(table) ? (table.find(id) ?? []) : []))[0];

/** An association represents the resources that it connects, or that have it. */
const associated = (ec2: Ec2, id: string): string[] => {
  if (id.startsWith('vpc-cidr-assoc-')) {
    const blocks = ({ secondary, ipv6 }: ReturnType<Ec2['vpcs']['get']>) => [...secondary, ...ipv6];
    return ec2.vpcs.all().flatMap((vpc) => (blocks(vpc).some((one) => one.id === id) ? [vpc.id] : []));
  }
  if (!id.startsWith('rtbassoc-')) return [id];
  const table = ec2.routeTables.all().find(({ associations }) => associations.some((one) => one.id === id));
  const subnet = table?.associations.find((one) => one.id === id)?.subnetId;
  return [table?.id ?? [], subnet ?? []].flat();
};

/** The owner: another account if that account shares the resource. */
const ownerOf = (account: Account, row: object | undefined): string =>
  (row as { sharedBy?: string } | undefined)?.sharedBy ?? account.accountId;

const poolOf = ({ settings }: Account, id: string): object | undefined =>
  settings.ipamPools.find((pool) => pool.id === id);

const vpcOf = (row: Row | undefined, ec2: Ec2, account: Account, region: string): Record<string, string> => {
  const id = (row as { vpcId?: string } | undefined)?.vpcId;
  const vpc = id === undefined ? undefined : ec2.vpcs.find(id);
  return vpc ? { 'ec2:Vpc': `arn:aws:ec2:${region}:${ownerOf(account, vpc)}:vpc/${id}` } : {};
};

/** The attribute that a call changes, with its value. */
const attributeOf = ({ operation, input }: RecordedCall): Record<string, string> => {
  const value = (input.SourceDestCheck as { Value?: boolean } | undefined)?.Value;
  return operation === 'ModifyInstanceAttribute' && value !== undefined
    ? { 'ec2:Attribute/SourceDestCheck': String(value) }
    : {};
};

/** A launch template that a call names; by id it is found like everything else. */
const templateByName = (account: Account, { region, operation, input }: RecordedCall): Touched[] => {
  const inLaunch = (input.LaunchTemplate as { LaunchTemplateName?: string } | undefined)?.LaunchTemplateName;
  const name = operation === 'CreateLaunchTemplate' ? undefined : (input.LaunchTemplateName ?? inLaunch);
  const row = account
    .ec2(region)
    .launchTemplates.all()
    .find((template) => template.name === name);
  if (name === undefined) return [];
  const arn = `arn:aws:ec2:${region}:${account.accountId}:launch-template/${row?.id ?? 'lt-none'}`;
  return [{ arn, tags: Object.fromEntries(row?.tags ?? []), exists: row !== undefined }];
};

/** Resources to which a launch refers by something other than an id. */
const byName = (account: Account, region: string, { KeyName, Placement }: RecordedCall['input']): Touched[] => {
  const group = (Placement as { GroupName?: unknown } | undefined)?.GroupName;
  const names = Object.entries({ 'key-pair': KeyName, 'placement-group': group });
  return names.flatMap(([type, name]) =>
    typeof name === 'string'
      ? [{ arn: `arn:aws:ec2:${region}:${account.accountId}:${type}/${name}`, tags: {}, exists: true }]
      : [],
  );
};

const fromEc2 = (account: Account, call: RecordedCall): Touched[] => {
  const { region, input } = call;
  const ec2 = account.ec2(region);
  const ids = new Set(textsIn(input).flatMap((id) => associated(ec2, id)));
  const touched = [...ids].flatMap((id): Touched[] => {
    const type = TYPES[EC2_ID.exec(id)?.[1] ?? ''];
    if (type === undefined) return [];
    const isForeign = UNOWNED.includes(type);
    const row = rowOf(ec2, id);
    const place = `${WORLDWIDE.includes(type) ? '' : region}:${isForeign ? '' : ownerOf(account, row ?? poolOf(account, id))}`;
    const tags = Object.fromEntries(row?.tags ?? []);
    const exists = isForeign || KEPT.includes(type) || row !== undefined;
    const context = { ...vpcOf(row, ec2, account, region), ...attributeOf(call) };
    return [{ arn: `arn:aws:ec2:${place}:${type}/${id}`, tags, exists, context }];
  });
  const keys = volumeKeysOf(account, call).map((arn) => ({ arn, tags: {}, exists: true }));
  return [...touched, ...byName(account, region, input), ...templateByName(account, call), ...keys];
};

interface GroupInput {
  AutoScalingGroupName?: string;
  InstanceId?: string;
  Tags?: { ResourceId?: string }[];
}

/** The groups that a call names, or that have the instance or the tags in its input. */
const fromAutoScaling = (account: Account, { region, operation, input }: RecordedCall): Touched[] => {
  if (operation === 'CreateAutoScalingGroup') return [];
  const { groups } = account.autoscaling(region);
  const { AutoScalingGroupName: name, InstanceId: id, Tags = [] } = input as GroupInput;
  const holders = [...groups.values()].filter(({ members }) => id !== undefined && members.has(id));
  const names = [name ?? holders.map((group) => group.name), Tags.flatMap(({ ResourceId = [] }) => ResourceId)].flat();
  return [...new Set(names)].map((one) => {
    const group = groups.get(one);
    const own = `arn:aws:autoscaling:${region}:${account.accountId}:autoScalingGroup:none:autoScalingGroupName/${one}`;
    const tags = [...(group?.tags ?? [])].map(([key, { value }]) => [key, value]);
    return { arn: group?.arn ?? own, tags: Object.fromEntries(tags), exists: group !== undefined };
  });
};

/** Calls for Classic Load Balancers name one; the call that creates it affects no existing resource. */
const fromClassicElb = (account: Account, { region, operation, input }: RecordedCall): Touched[] => {
  if (operation === 'CreateLoadBalancer') return [];
  const names = [input.LoadBalancerName ?? [], input.LoadBalancerNames ?? []].flat().map(String);
  return names.map((name) => {
    const tags = account.elb(region).loadBalancers.get(name)?.tags;
    const arn = `arn:aws:elasticloadbalancing:${region}:${account.accountId}:loadbalancer/${name}`;
    return { arn, tags: Object.fromEntries(tags ?? []), exists: tags !== undefined };
  });
};

const fromElb = (account: Account, call: RecordedCall): Touched[] => {
  const { region, input } = call;
  const { loadBalancers, targetGroups, listeners } = account.elbv2(region);
  const arns = textsIn(input).filter((text) => text.startsWith('arn:aws:elasticloadbalancing:'));
  const modern = arns.map((arn) => {
    const found = loadBalancers.get(arn) ?? targetGroups.get(arn) ?? listeners.get(arn);
    return { arn, tags: Object.fromEntries(found?.tags ?? []), exists: found !== undefined };
  });
  return [...modern, ...fromClassicElb(account, call)];
};

const fromTable = (account: Account, { region, input }: RecordedCall): Touched[] => {
  const tables = [input.TableName ?? [], Object.keys(input.RequestItems ?? {})].flat().map(String);
  const index = input.IndexName === undefined ? '' : `/index/${String(input.IndexName)}`;
  return tables.map((name) => ({
    arn: `arn:aws:dynamodb:${region}:${account.accountId}:table/${name}${index}`,
    tags: {},
    exists: true,
  }));
};

const named = (
  account: Account,
  call: RecordedCall,
  resource: string,
  tags: ReadonlyMap<string, string> | undefined,
) => ({
  arn: `arn:aws:${call.service}:${call.region}:${account.accountId}:${resource}`,
  tags: Object.fromEntries(tags ?? []),
  exists: tags !== undefined,
});

const fromSecrets = (account: Account, call: RecordedCall): Touched[] => {
  const id = String(call.input.SecretId ?? '');
  if (id === '') return [];
  const secret = [...account.secrets(call.region).byName.values()].find(({ arn, name }) => arn === id || name === id);
  return [named(account, call, secret?.arn.split(':').slice(5).join(':') ?? `secret:${id}-AAAAAA`, secret?.tags)];
};

const fromParameters = (account: Account, call: RecordedCall): Touched[] => {
  const { Name = [], Names = [], ResourceId = [] } = call.input;
  const names = [Name, Names, ResourceId].flat().map(String);
  const { parameters } = account.ssm(call.region);
  const ownerOf = (name: string) => (name.startsWith('/aws/service/') ? '' : account.accountId);
  return names.map((name) => ({
    arn: `arn:aws:ssm:${call.region}:${ownerOf(name)}:parameter/${name.replace(/^\//, '')}`,
    tags: Object.fromEntries(parameters.get(name)?.tags ?? []),
    exists: true,
  }));
};

const fromS3 = ({ accountId }: Account, { input: { Bucket, Key } }: RecordedCall): Touched[] => [
  {
    arn: `arn:aws:s3:::${[Bucket, Key ?? []].flat().join('/')}`,
    tags: {},
    exists: true,
    context: { 'aws:ResourceAccount': accountId },
  },
];

/** Services whose input names resources only by ARN. */
const fromArns = (_: Account, { input }: RecordedCall): Touched[] =>
  textsIn(input)
    .filter((text) => /^arn:aws[\w-]*:[\w-]+:[\w-]*:\d*:\S+$/.test(text))
    .map((arn) => ({ arn, tags: {}, exists: true }));

const fromIam = (account: Account, { input: { InstanceProfileName, RoleName } }: RecordedCall): Touched[] => {
  const iam = `arn:aws:iam::${account.accountId}`;
  if (RoleName !== undefined) {
    const arn = `${iam}:role/aws-service-role/autoscaling.amazonaws.com/${String(RoleName)}`;
    return [{ arn, tags: {}, exists: !account.settings.lacksAutoScalingRole }];
  }
  const name = String(InstanceProfileName);
  const exists = !account.settings.missingInstanceProfiles.includes(name);
  return [{ arn: `${iam}:instance-profile/${name}`, tags: {}, exists }];
};

const fromQuotas = (account: Account, { region, input: { ServiceCode, QuotaCode } }: RecordedCall): Touched[] => [
  {
    arn: `arn:aws:servicequotas:${region}:${account.accountId}:${String(ServiceCode)}/${String(QuotaCode)}`,
    tags: {},
    exists: true,
  },
];

const READERS: Readonly<Record<string, (account: Account, call: RecordedCall) => Touched[]>> = {
  autoscaling: fromAutoScaling,
  ec2: fromEc2,
  elasticloadbalancing: fromElb,
  dynamodb: fromTable,
  secretsmanager: fromSecrets,
  ssm: fromParameters,
  s3: fromS3,
  iam: fromIam,
  servicequotas: fromQuotas,
};

/** Must be called before the call has any effect. */
export const touchedBy = (account: Account, call: RecordedCall): Touched[] =>
  (READERS[call.service] ?? fromArns)(account, call);
