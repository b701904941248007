/**
 * The state of a lifecycle when nothing is in progress any more, in a form that is equal for two that differ only in
 * names and times.
 */
import type { Account } from '../../../infra/local/account.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { inventoryOf, summaryOf } from './judge.ts';
import type { Table } from './table.ts';
import type { User } from './user.ts';

/** All objects of a cluster that users can read. Events describe the history, and are left out. */
const KINDS = [
  'Cluster',
  'AWSCluster',
  'KubeadmControlPlane',
  'MachineDeployment',
  'MachineSet',
  'Machine',
  'AWSMachine',
  'KubeadmConfig',
  'Secret',
];

/** Strings that are one of a few words. Others are names and times, or texts that contain some. */
const WORDS = new Set(['type', 'status', 'phase', 'instanceState', 'reason', 'kind', 'version', 'kubeletVersion']);

/** Counters of writes. */
const COUNTERS = new Set(['generation', 'observedGeneration', 'resourceVersion']);

/** `vpc-0123456789abcdef0`, also at the end of a provider id. */
const AWS_ID = /\b[a-z]+-[0-9a-f]{17}\b/g;

type Exists = (id: string) => boolean;

const wordOf = (key: string, value: string, exists: Exists): string => {
  if (WORDS.has(key)) return value;
  const ids = value.match(AWS_ID) ?? [];
  return ids.length === 0 ? '' : ids.map((id) => (exists(id) ? 'id' : 'id of nothing')).join();
};

/** The form of a value. Maps whose keys are names, such as labels and data, keep their keys: those are fixed. */
const formOf = (key: string, value: unknown, exists: Exists): unknown => {
  if (typeof value === 'string') return wordOf(key, value, exists);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => JSON.stringify(formOf(key, one, exists))).sort();
  const entries = Object.entries(value).filter(([name]) => !COUNTERS.has(name) && name !== 'managedFields');
  return Object.fromEntries(entries.sort().map(([name, one]) => [name, formOf(name, one, exists)]));
};

/** The forms of objects, in an order that does not depend on their names. */
export const formsOf = (objects: readonly KubeObject[], exists: Exists): string[] =>
  objects.map((object) => JSON.stringify(formOf('', object, exists))).sort();

/** The kind of an item beside the objects, with its contents; nothing if it is not counted. */
const itemKind = ({ pk, sk, holder, dueShard }: Record<string, unknown>): string | undefined => {
  const [kind = ''] = String(pk).split('|');
  // Objects are compared separately; the others exist in any case, or are limits of calls.
  if (kind.includes('/') || ['counter', 'turns', 'brake'].includes(kind)) return undefined;
  const what = String(sk).split('|').slice(0, -1).join('|');
  return [kind, what, holder === undefined ? '' : 'held', dueShard === undefined ? '' : 'due'].join(' ').trim();
};

/** How many items of each kind the table has beside the objects: pledges, leases, due work. */
const itemsOf = async (table: Table): Promise<string> => {
  const kinds = (await table.read()).flatMap((item) => itemKind(item) ?? []).sort();
  return [...new Set(kinds)].map((kind) => `${kinds.filter((one) => one === kind).length} ${kind}`).join(', ');
};

/** The account, the objects, and work in progress. */
export const settledState = async (account: Account, user: User, table: Table): Promise<string> => {
  const known = new Set(inventoryOf(account).flatMap((row) => row.match(AWS_ID) ?? []));
  const forms = [summaryOf(account)];
  for (const kind of KINDS)
    for (const form of formsOf((await user.list(kind)) ?? [], (id) => known.has(id))) forms.push(`${kind} ${form}`);
  return [...forms, await itemsOf(table)].join('\n');
};
