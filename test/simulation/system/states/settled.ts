/**
 * The state of a lifecycle when no more work is in progress, in a form that is equal for two lifecycles that only
 * differ in names and times.
 */
import type { Account } from '../../../../infra/local/account.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import type { User } from '../user.ts';
import { inventoryOf, summaryOf } from '../verdicts/judge.ts';
import { wiringOf } from '../verdicts/wiring.ts';
import { writtenObjects } from '../verdicts/written.ts';
import { AWS_ID, type Exists, formOf } from './forms.ts';
import { type Attributes, itemsNow } from './items.ts';
import { storedObjects } from './objects.ts';

/** All kinds of a cluster's objects that users can read. Events describe the history, and are left out. */
const KINDS = [
  'Cluster',
  'AWSCluster',
  'KubeadmControlPlane',
  'RKE2ControlPlane',
  'MachineDeployment',
  'MachineSet',
  'Machine',
  'AWSMachine',
  'MachinePool',
  'AWSMachinePool',
  'KubeadmConfig',
  'RKE2Config',
  'MachineHealthCheck',
  'Secret',
];

/** The forms of objects, in an order that does not depend on their names. */
export const formsOf = (objects: readonly KubeObject[], exists: Exists): string[] =>
  objects.map((object) => JSON.stringify(formOf('', object, exists))).sort();

const numberOf = (item: Attributes, name: string): number => Number(item[name]?.N ?? 0);

/** Items that always exist, that limit calls, or that remain from deleted objects until a sweep removes them. */
const IRRELEVANT = new Set(['counter', 'turns', 'brake', 'record', 'garbage']);

/** The kind and state of an item that is not an object; undefined if the item does not count. */
export const itemKind = (item: Attributes, now: number): string | undefined => {
  const { pk, sk, holder, dueShard } = item;
  const [kind = ''] = (pk?.S ?? '').split('|');
  // Objects are compared separately.
  if (kind.includes('/') || IRRELEVANT.has(kind)) return undefined;
  const what = (sk?.S ?? '').split('|').slice(0, -1).join('|');
  const isHeld = holder !== undefined && numberOf(item, 'leaseUntil') > now;
  const isWanted = numberOf(item, 'wanted') > numberOf(item, 'done');
  return [kind, what, isHeld && 'held', dueShard && 'due', isWanted && 'wanted'].filter(Boolean).join(' ');
};

/** The number of items that are not objects, by kind: pledges, leases, due work. */
export const remainingItems = (now: number): string => {
  const kinds = [...itemsNow().texts.values()]
    .flatMap((text) => itemKind(JSON.parse(text) as Attributes, now) ?? [])
    .sort();
  return [...new Set(kinds)].map((kind) => `${kinds.filter((one) => one === kind).length} ${kind}`).join(', ');
};

/** The ids of everything in the account. */
export const idsOf = (account: Account): Set<string> =>
  new Set(inventoryOf(account).flatMap((row) => row.match(AWS_ID) ?? []));

/**
 * What must be equal after a step with and without faults: the resources, how they are connected, and the objects that
 * users have written, each in a line.
 */
export const headOf = (account: Account): string[] => [
  summaryOf(account),
  wiringOf(account),
  writtenObjects(storedObjects().map(({ object }) => object)),
];

/** The same lines of a state after a step. */
export const headIn = (state: string): string[] => state.split('\n').slice(0, 3);

/** The account, the objects, and the work in progress. */
export const settledState = async (account: Account, user: User, services: readonly KubeObject[]): Promise<string> => {
  const known = idsOf(account);
  const forms = headOf(account);
  for (const kind of KINDS)
    for (const form of formsOf(await user.list(kind), (id) => known.has(id))) forms.push(`${kind} ${form}`);
  for (const form of formsOf(services, (id) => known.has(id))) forms.push(`Service ${form}`);
  return [...forms, remainingItems(account.clock.now().getTime())].join('\n');
};
