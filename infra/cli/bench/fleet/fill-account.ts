/** Fills the simulated account of a laptop with copies of a cluster's resources, and with other instances. */
import type { Account } from '../../../local/account.ts';
import type { Instance } from '../../../local/engines/ec2/records.ts';
import type { Resource } from '../../../local/engines/ec2/table.ts';
import { placeOf } from './fill-table.ts';
import type { Pattern } from './pattern.ts';
import { renamed, renamer } from './rename.ts';

interface Rows {
  all(): Resource[];
  add(row: Resource): unknown;
}

const isRows = (value: unknown): value is Rows =>
  typeof value === 'object' && value !== null && 'all' in value && 'add' in value;

const tablesOf = (state: object): Map<string, Rows> =>
  new Map(Object.entries(state).filter((entry): entry is [string, Rows] => isRows(entry[1])));

function* textsOf(value: unknown): Iterable<string> {
  if (typeof value === 'string') yield value;
  else if (value instanceof Map) for (const entry of value) yield* textsOf(entry);
  else if (typeof value === 'object' && value !== null) for (const held of Object.values(value)) yield* textsOf(held);
}

/** The rows of each table, without those of the default VPC that every account has. */
const ownRows = (account: Account): Map<string, Resource[]> => {
  const ec2 = account.ec2();
  const vpcs = ec2.vpcs.all().filter(({ isDefault }) => isDefault);
  const first = new Set(vpcs.map(({ id }) => id));
  for (const group of ec2.securityGroups.all()) if (first.has(group.vpcId)) first.add(group.id);
  const isFirst = (row: Resource): boolean => [...textsOf(row)].some((text) => first.has(text));
  return new Map([...tablesOf(ec2)].map(([name, table]) => [name, table.all().filter((row) => !isFirst(row))]));
};

/** Copies the resources of `pattern` into `account`, for the clusters from `from` to `to`. */
export const fillAccount = (account: Account, { uid, account: pattern }: Pattern, from: number, to: number): void => {
  const [ec2, elbv2] = [account.ec2(), account.elbv2()];
  const tables = tablesOf(ec2);
  const rows = ownRows(pattern);
  const balancing = pattern.elbv2();
  const next = () => {
    ec2.counters.sequence += 1;
    return ec2.counters.sequence;
  };
  for (let index = from; index <= to; index += 1) {
    const rename = renamer(uid, placeOf(index));
    for (const [name, own] of rows)
      for (const row of own) tables.get(name)?.add({ ...renamed(row, rename), sequence: next() });
    for (const kind of ['loadBalancers', 'targetGroups', 'listeners'] as const)
      for (const row of balancing[kind].values()) {
        const copy = { ...renamed(row, rename), sequence: elbv2.nextSequence() };
        (elbv2[kind] as Map<string, typeof copy>).set(copy.arn, copy);
      }
  }
};

/** Adds instances without Windlass's tags: copies of the pattern's first one. */
export const addOthers = (account: Account, { account: pattern }: Pattern, count: number): void => {
  const [first] = pattern.ec2().instances.all();
  if (!first) throw new Error('the pattern has no instance');
  const ec2 = account.ec2();
  for (let left = count; left > 0; left -= 1) {
    ec2.counters.sequence += 1;
    const own = { id: ec2.newId('i'), reservationId: ec2.newId('r'), interfaceId: ec2.newId('eni') };
    const other: Instance = { ...first, ...own, sequence: ec2.counters.sequence, tags: new Map([['Name', 'other']]) };
    ec2.instances.add(other);
  }
};
