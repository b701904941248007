import { describe, expect, it } from 'vitest';
import type { Machine } from '../../kinds/index.ts';
import { memberProblem, removableStray, strayMembers, wantsMembership } from './etcd-members.ts';
import type { EtcdMember, EtcdView } from './etcd-view.ts';

/** Machine `n` has the node `node-n` and the address `10.0.0.n`. */
const machine = (n: number, { node = `node-${n}`, address = `10.0.0.${n}` } = {}): Machine =>
  ({
    metadata: { name: `m-${n}` },
    status: {
      ...(node ? { nodeRef: { name: node } } : {}),
      ...(address ? { addresses: [{ type: 'InternalIP', address }] } : {}),
    },
  }) as Machine;
const member = (n: number, over: Partial<EtcdMember> = {}): EtcdMember => ({
  ...{ id: `id-${n}`, name: `node-${n}`, learner: false, hosts: [`10.0.0.${n}`] },
  ...over,
});
const unnamed = (n: number): EtcdMember => member(n, { name: '', learner: true });
const joining = (n: number, address?: string) =>
  machine(n, { node: '', ...(address === undefined ? {} : { address }) });

const strays = (members: EtcdMember[], machines: Machine[]) => strayMembers(members, machines).map(({ id }) => id);

describe('a member without a machine', () => {
  it.each<[string, EtcdMember[], Machine[], string[]]>([
    ['is found by its name', [member(1), member(2)], [machine(1)], ['id-2']],
    ['is found if it has never started', [member(1), unnamed(2)], [machine(1)], ['id-2']],
    ['is found while a machine with another address joins', [member(1), member(2)], [machine(1), joining(3)], ['id-2']],
    ['is not assumed if a machine with its address joins', [member(1), unnamed(2)], [machine(1), joining(2)], []],
    [
      'is not assumed while a machine without an address joins',
      [member(1), member(2)],
      [machine(1), joining(3, '')],
      [],
    ],
    [
      'is not assumed while addresses of members differ from those of machines',
      [member(1, { hosts: ['192.0.2.1'] }), member(2)],
      [machine(1), joining(3)],
      [],
    ],
    [
      'is not assumed while the member of a node has no name yet',
      [member(1), unnamed(9)],
      [machine(1), machine(2)],
      [],
    ],
    ['is found by its name even if a node has no member', [member(1), member(9)], [machine(1), machine(2)], ['id-9']],
    ['is not assumed if no member belongs to a machine', [member(8), member(9)], [machine(1)], []],
  ])('%s', (_, members, machines, found) => {
    expect(strays(members, machines)).toEqual(found);
  });

  const view = (members: EtcdMember[], silent: string[]): EtcdView => ({
    members,
    leader: 'id-1',
    reachable: new Set(members.map(({ id }) => id).filter((id) => !silent.includes(id))),
    alarms: new Map(),
  });
  const three = [machine(1), machine(2), machine(3)];
  const four = [1, 2, 3, 4].map((n) => member(n));

  it.each<[string, EtcdView, string | undefined]>([
    ['is removed if it does not respond', view(four, ['id-4']), 'id-4'],
    ['is removed if it has never started', view([...four.slice(0, 3), unnamed(4)], ['id-4']), 'id-4'],
    ['stays if it responds', view(four, []), undefined],
    ['stays if the others have no quorum', view(four, ['id-2', 'id-3', 'id-4']), undefined],
  ])('%s', (_, seen, removed) => {
    expect(removableStray(seen, three)?.id).toBe(removed);
  });
});

it.each([
  ['is not listed', [member(2)], "Etcd doesn't have an etcd member for Node node-1"],
  ['does not vote yet', [member(1, { learner: true })], 'Waiting for learner etcd member to be promoted'],
  ['has raised an alarm', [member(1, { id: 'full' })], 'Etcd reports alarms: NOSPACE'],
  ['has no problem, unlike another one', [member(1), member(2, { id: 'full' })], undefined],
])('memberProblem evaluates a member that %s', (_, members, problem) => {
  expect(memberProblem('node-1', { members, alarms: new Map([['full', 'NOSPACE']]) })).toBe(problem);
});

describe('a pass queries etcd', () => {
  const NOW = new Date('2026-01-01T01:00:00Z');
  const at = (minutesAgo: number) => new Date(NOW.getTime() - minutesAgo * 60_000).toISOString();
  const made = (n: number, minutesAgo: number, over: object = {}, conditions: object[] = []): Machine =>
    ({
      metadata: { name: `m-${n}`, creationTimestamp: at(minutesAgo), ...over },
      spec: { providerID: `aws:///a/i-${n}` },
      status: { conditions },
    }) as unknown as Machine;
  const nodes = [1, 2].map((n) => ({ metadata: { name: `node-${n}` }, spec: { providerID: `aws:///a/i-${n}` } }));
  const alarmed = [
    { type: 'EtcdPodHealthy', status: 'True' },
    { type: 'EtcdMemberHealthy', status: 'False' },
  ];

  it.each<[string, Machine[], boolean]>([
    ['if all machines have nodes', [made(1, 30), made(2, 1)], true],
    ['not while a machine joins', [made(1, 30), made(3, 1)], false],
    [
      'if the node of a machine was deleted',
      [made(1, 30), { ...made(3, 1), status: { nodeRef: { name: 'n' } } }],
      true,
    ],
    ['if a machine has been joining for a long time', [made(1, 30), made(3, 6)], true],
    ['if a machine is being deleted', [made(1, 30), made(3, 1, { deletionTimestamp: at(1) })], true],
    ['if a problem was reported before', [made(1, 30, {}, alarmed), made(3, 1)], true],
  ])('%s', (_, machines, isQueried) => {
    expect(wantsMembership(machines, nodes, NOW)).toBe(isQueried);
  });
});
