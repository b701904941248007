/** Everything in the account, in a form that is equal for two accounts that only differ in names and times. */
import type { Account } from '../../../../infra/local/account.ts';
import { lifeOf } from '../../../../infra/local/engines/ec2/instances/view.ts';
import { allSecrets } from '../../../../infra/local/engines/secrets-manager/state.ts';
import { AWS_ID, type Exists, formOf } from './forms.ts';

const TABLES = [
  'vpcs',
  'subnets',
  'internetGateways',
  'natGateways',
  'addresses',
  'routeTables',
  'securityGroups',
  'securityGroupRules',
  'networkInterfaces',
  'volumes',
  'launchTemplates',
] as const;

const BALANCING = ['loadBalancers', 'targetGroups', 'listeners'] as const;

/** A JSON form of a record without numbers, which are times and counters, and without its own id. */
const plainOf = (key: string, value: unknown): unknown => {
  if (key === 'id' || typeof value === 'number' || typeof value === 'bigint') return undefined;
  // The keys of targets are ids.
  if (value instanceof Map)
    return [...value.keys()].some((name) => `${name}`.match(AWS_ID)) ? [...value.values()] : Object.fromEntries(value);
  return value instanceof Set ? [...value] : value;
};

const formOfRow = (kind: string, row: object, exists: Exists): string => {
  const plain: unknown = JSON.parse(JSON.stringify(row, plainOf));
  return `${kind} ${JSON.stringify(formOf('', plain, exists))}`;
};

export const accountForms = (account: Account, exists: Exists): string[] => {
  const [ec2, elb] = [account.ec2(), account.elbv2()];
  const instances = ec2.instances.all().map((one) => ({ status: lifeOf(ec2, one), tags: one.tags }));
  const buckets = [...account.s3.buckets.values()].map(({ tags, policy, objects }) => ({
    ...{ tags, policy },
    objects: [...objects.keys()].map(() => ({})),
  }));
  const secrets = allSecrets(account.secrets()).map(({ tags }) => ({ tags }));
  const rows: (readonly [string, object])[] = [
    ...TABLES.flatMap((name) => ec2[name].all().map((row) => [name, row] as const)),
    ...BALANCING.flatMap((name) => [...elb[name].values()].map((row) => [name, row] as const)),
    ...[...account.elb().loadBalancers.values()].map((row) => ['classicLoadBalancers', row] as const),
    ...[...account.autoscaling().groups.values()].map(
      ({ tags, desired }) => ['groups', { tags, status: `${desired} instances` }] as const,
    ),
    ...instances.map((row) => ['instances', row] as const),
    ...buckets.map((row) => ['buckets', row] as const),
    ...secrets.map((row) => ['secrets', row] as const),
  ];
  return rows.map(([kind, row]) => formOfRow(kind, row, exists));
};
