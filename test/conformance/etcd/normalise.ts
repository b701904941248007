import type { CommandResult } from '../../../shared/workload/client.ts';
import { parseAlarms, parseMembers, parseStatus } from '../../../shared/workload/etcdctl.ts';

/** The output of etcdctl in a form that can be compared between two clusters. */
export interface Answer {
  code: number;
  said: unknown;
  error?: string;
}

/** The names of members by their ids. */
export type Names = ReadonlyMap<string, string>;

/** etcd and etcdctl have the same timeout, so either of them may report it first. */
const GAVE_UP = /(rpc error: .*)?etcdserver: request timed out.*$/;

/** Replaces ids and addresses, which are specific to each cluster, and removes the padding of shorter ids. */
const neutral = (text: string, names: Names): string =>
  [...names]
    .reduce((line, [id, name]) => line.replaceAll(id, `<${name}>`), text)
    .replace(GAVE_UP, 'context deadline exceeded')
    .replace(/ {2,}/g, ' ')
    .replace(/cluster [0-9a-f]{10,16}/, 'cluster <id>')
    .replace(/https:\/\/127\.0\.0\.1:\d+/g, '<url>')
    .trim();

/** The last line of an error. The lines before it are etcdctl's log of its attempts. */
const errorOf = ({ stderr }: CommandResult, names: Names): { error?: string } => {
  const lines = stderr
    .trim()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('{'));
  const last = lines.at(-1);
  return last === undefined ? {} : { error: neutral(last, names) };
};

const byName = <T extends { name: string }>(list: readonly T[]): T[] =>
  list.toSorted((a, b) => (a.name < b.name ? -1 : 1));

const saidOf = (args: readonly string[], stdout: string, names: Names): unknown => {
  const command = args.filter((word) => !word.startsWith('--')).join(' ');
  if (stdout.trim() === '') return '';
  if (command === 'member list')
    return byName(parseMembers(stdout)).map(({ name, learner, hosts }) => ({ name, learner, hosts }));
  if (command === 'endpoint status') {
    const { leader, reachable } = parseStatus(stdout);
    return { leader: leader && names.get(leader), reachable: [...reachable].map((id) => names.get(id)).toSorted() };
  }
  if (command === 'alarm list') return [...parseAlarms(stdout)].map(([id, alarm]) => `${names.get(id)}: ${alarm}`);
  return neutral(stdout, names);
};

export const normalise = (args: readonly string[], result: CommandResult, names: Names): Answer => ({
  code: result.code,
  said: saidOf(args, result.stdout, names),
  ...errorOf(result, names),
});

/** The paths in a JSON value, each with its type. The items of a list share their paths. */
export const shapeOf = (value: unknown, path = ''): string[] => {
  if (Array.isArray(value)) return [...new Set(value.flatMap((item) => shapeOf(item, `${path}[]`)))];
  if (typeof value !== 'object' || value === null) return [`${path}: ${typeof value}`];
  return Object.entries(value).flatMap(([key, item]) => shapeOf(item, `${path}.${key}`));
};
