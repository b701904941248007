/** Conditions that must hold at every moment of a lifecycle, and at its end. */
import type { Account } from '../../../../infra/local/account.ts';
import { lifeOf } from '../../../../infra/local/engines/ec2/instances/view.ts';
import type { Instance } from '../../../../infra/local/engines/ec2/records.ts';
import { allSecrets } from '../../../../infra/local/engines/secrets-manager/state.ts';
import type { Machine } from '../../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { MACHINE_UID_TAG } from '../../../../shared/providers/aws/plan/launch/request.ts';
import type { Step } from '../stories/step.ts';
import { machinesIn, type Sizes } from '../user.ts';
import { formsOfPart } from './canaries.ts';

/** The end of the first line of a private key, as it is and at all places of base64. */
const KEYS = formsOfPart('PRIVATE KEY-----');
const TOKEN = /\b[a-z0-9]{6}\.[a-z0-9]{16}\b/;

const isLive = (account: Account) => (instance: Instance) =>
  !['shutting-down', 'terminated'].includes(lifeOf(account.ec2(), instance));

export const liveInstances = (account: Account): Instance[] => account.ec2().instances.all().filter(isLive(account));

/** Instances of groups exist before their Machines, and do not have the Machines' tags. */
export const isOfGroup = ({ tags }: Pick<Instance, 'tags'>): boolean => tags.has('aws:autoscaling:groupName');

/** A group launches a replacement while the node of such an instance is drained. */
const isLeavingGroup = (account: Account, id: string): boolean =>
  [...account.autoscaling().groups.values()].some(({ members }) => members.get(id)?.state.startsWith('Terminating'));

/** Instances in warm pools do not belong to machines, and wait until their group needs them. */
export const isWarm =
  (account: Account) =>
  ({ id }: Instance): boolean =>
    [...account.autoscaling().groups.values()].some(({ members }) => members.get(id)?.state.startsWith('Warmed:'));

/** The uid of the machine, or the tag of the cluster to which the bastion belongs. */
const ownerOf = ({ tags }: Instance): string =>
  tags.get(MACHINE_UID_TAG) ?? [...tags].find(([, value]) => value === 'owned')?.[0] ?? '';

/** Two live instances of one machine, and more instances than machines and `extra` ones, such as those of a rollout. */
export const instanceBreaches = (account: Account, sizes: Sizes, extra: number): string[] => {
  const live = liveInstances(account);
  const owners = live.filter((one) => !isOfGroup(one)).map(ownerOf);
  const doubles = [...new Set(owners.filter((uid, index) => owners.indexOf(uid) !== index))];
  const most = machinesIn(sizes) + extra;
  const counted = live.filter(({ id }) => !isLeavingGroup(account, id));
  return [
    ...doubles.map((uid) => `the machine ${uid} has two live instances`),
    ...(counted.length > most ? [`${counted.length} instances are live, more than ${most}`] : []),
  ];
};

/**
 * The reason why a step is not done although its objects are ready: if an event is lost, only the sweep finds a dead
 * instance.
 */
export const instancesMissing = (
  account: Account,
  { sizes, isOfControlPlane }: Pick<Step, 'sizes' | 'isOfControlPlane'>,
): string | undefined => {
  const { length } = liveInstances(account);
  return isOfControlPlane || length === machinesIn(sizes) ? undefined : `${length} instances are live`;
};

/** Resources of which a cluster has exactly one. A recorded intent prevents two runs from creating two. */
const SINGLE = ['vpcs', 'internetGateways'] as const;

export const isOwned = ({ tags }: { tags: ReadonlyMap<string, string> }): boolean =>
  [...tags.values()].includes('owned');

export const networkBreaches = (account: Account): string[] =>
  SINGLE.filter((name) => account.ec2()[name].all().filter(isOwned).length > 1).map(
    (name) => `the cluster has more than one of its ${name}`,
  );

/** Instances that belong to no Machine although no work is in progress. */
export const ownershipBreaches = (account: Account, machines: readonly Machine[]): string[] => {
  const uids = new Set(machines.map(({ metadata }) => metadata.uid));
  const ids = new Set(machines.map(({ spec }) => spec.providerID?.split('/').at(-1)));
  const isWarmOne = isWarm(account);
  return liveInstances(account)
    .filter((one) => !isWarmOne(one))
    .filter((one) => (isOfGroup(one) ? !ids.has(one.id) : !uids.has(one.tags.get(MACHINE_UID_TAG))))
    .map(({ id }) => `the instance ${id} belongs to no Machine`);
};

const TABLES = [
  'vpcs',
  'subnets',
  'internetGateways',
  'routeTables',
  'securityGroups',
  'addresses',
  'networkInterfaces',
  'volumes',
  'launchTemplates',
] as const;

/** Buckets as `bucket <name>`, and their objects as `bucket <name> <object>`. */
const bucketsIn = (account: Account): string[] =>
  [...account.s3.buckets].flatMap(([name, { objects }]) => [
    `bucket ${name}`,
    ...[...objects.keys()].map((key) => `bucket ${name} ${key}`),
  ]);

/** The rules and routes of the account, with what they allow. Others must not be changed. */
const connectionsIn = (account: Account): string[] => {
  const ec2 = account.ec2();
  const rules = ec2.securityGroupRules
    .all()
    .map(({ id, groupId, source }) => `${id} ${groupId} ${JSON.stringify(source)}`);
  const tables = ec2.routeTables.all().map(({ id, routes, associations }) => {
    const subnets = associations.map(({ subnetId = 'all others' }) => subnetId);
    return `${id} routes ${JSON.stringify(routes)} of ${subnets.sort().join()}`;
  });
  return [...rules, ...tables];
};

/** The resources of the account that cost money or block something, by kind; most as `<id> <tags>`. */
export const inventoryOf = (account: Account): string[] => {
  const ec2 = account.ec2();
  const rows = TABLES.flatMap((name) => ec2[name].all().map(({ id, tags }) => [id, [...tags]] as const));
  const running = liveInstances(account);
  const gateways = ec2.natGateways.all().filter(({ timeline }) => timeline.at(-1)?.state === 'available');
  const elb = account.elbv2();
  return [
    ...rows.map(([id, tags]) => `${id} ${JSON.stringify(tags)}`),
    ...[...running, ...gateways].map(({ id, tags }) => `${id} ${JSON.stringify([...tags])}`),
    ...[...elb.loadBalancers.keys(), ...elb.targetGroups.keys(), ...account.autoscaling().groups.keys()],
    ...account.elb().loadBalancers.keys(),
    ...allSecrets(account.secrets()).map(({ name }) => `secret ${name}`),
    ...bucketsIn(account),
  ].sort();
};

/** The same with the rules and routes. Here an id may belong to something that no longer exists. */
export const contentsOf = (account: Account): string[] => [...inventoryOf(account), ...connectionsIn(account)].sort();

/** The number of resources in the account by kind; equal for two lifecycles that end in the same state. */
export const summaryOf = (account: Account): string => {
  const ec2 = account.ec2();
  const elb = account.elbv2();
  const members: [string, number][] = [
    ...TABLES.map((name): [string, number] => [name, ec2[name].all().length]),
    ['instances', liveInstances(account).length],
    ['loadBalancers', elb.loadBalancers.size],
    ['classicLoadBalancers', account.elb().loadBalancers.size],
    ['targetGroups', elb.targetGroups.size],
    ['groups', account.autoscaling().groups.size],
    ['secrets', allSecrets(account.secrets()).length],
    ['buckets and their objects', bucketsIn(account).length],
  ];
  return members.map(([name, number]) => `${name} ${number}`).join(', ');
};

/** Resources that a deletion has left behind, and existing ones that it has changed. */
export const remains = (before: readonly string[], after: readonly string[]): string[] => [
  ...after.filter((one) => !before.includes(one)).map((one) => `left behind: ${one}`),
  ...before.filter((one) => !after.includes(one)).map((one) => `changed, although not owned: ${one}`),
];

export const secretBreach = (where: string, text: string): string[] =>
  TOKEN.test(text) || KEYS.some((key) => text.includes(key)) ? [`a secret is in ${where}`] : [];

/** Records the generations of objects, and reports generations that decrease. */
export const makeGenerations = () => {
  const known = new Map<string, number>();
  return ({ kind, metadata: { uid = '', name, generation = 0 } }: KubeObject): string[] => {
    const before = known.get(uid) ?? 0;
    known.set(uid, Math.max(before, generation));
    return generation < before ? [`${kind} ${name}: the generation went from ${before} to ${generation}`] : [];
  };
};
