import { describe, expect, it } from 'vitest';
import type { Cluster, Machine, MachineHealthCheck } from '../../../shared/kinds/index.ts';
import { silentLog } from '../../../shared/log.ts';
import type { PlacedCluster } from '../../../shared/providers/infrastructure.ts';
import type { PlacedMachine } from '../../providers/sweep-port.ts';
import type { DriftDependencies } from '../dependencies.ts';
import { startRun } from '../run.ts';
import type { Checks } from './health-drift.ts';
import { looksOf } from './looks.ts';

const MINUTES = 5;
const BEGINNING = Date.parse('2026-01-01T00:00:00Z');
/** The dependencies of consecutive sweeps; the first of them queries silent servers. */
const sweep = (number: number) =>
  ({
    clock: { now: () => new Date(BEGINNING + number * MINUTES * 60_000) },
    log: silentLog,
    sweepMinutes: MINUTES,
  }) as unknown as DriftDependencies;

const clusterIn = (namespace: string, name: string, answers: boolean | undefined): PlacedCluster => {
  const conditions = ['ControlPlaneInitialized', 'RemoteConnectionProbe'].map((type, index) => ({
    ...{ type, reason: type, message: '', lastTransitionTime: '2026-01-01T00:00:00Z' },
    status: index === 0 || answers ? 'True' : 'False',
  }));
  const known = answers === undefined ? conditions.slice(0, 1) : conditions;
  const cluster = { metadata: { namespace, name, uid: name }, spec: {}, status: { conditions: known } };
  return { cluster: cluster as unknown as Cluster, infrastructure: { metadata: {} } as never };
};

const checkOf = ({ cluster: { metadata } }: PlacedCluster) =>
  [`${metadata.namespace}/${metadata.name}`, [{} as MachineHealthCheck]] as const;

const looks = async (
  number: number,
  clusters: readonly PlacedCluster[],
  { checked = [], turn = [], open = [] }: { checked?: readonly PlacedCluster[]; turn?: string[]; open?: string[] },
) => {
  const checks: Checks = new Map(checked.map(checkOf));
  const machine = { spec: { providerID: 'aws:///a/i-1' } } as Machine;
  const machinesOf = ({ cluster }: PlacedCluster) =>
    open.includes(cluster.metadata.name ?? '') ? [{ machine } as PlacedMachine] : [];
  const deps = sweep(number);
  const facts = { turn: new Set(turn), run: startRun(deps), checks };
  const { clusters: looked } = await looksOf(deps, clusters, machinesOf, facts);
  return looked.map(({ cluster }) => cluster.metadata.name);
};

describe('clusters with health checks', () => {
  const answering = clusterIn('a', 'answering', true);
  const unprobed = clusterIn('a', 'unprobed', undefined);
  const silent = clusterIn('a', 'silent', false);
  const all = [silent, answering, unprobed];

  it('are checked in each sweep, but in every third sweep, and last, if they did not respond', async () => {
    const found = [];
    for (const number of [0, 1, 2, 3]) found.push(await looks(number, all, { checked: all }));

    const [first, ...others] = found;
    expect(first).toHaveLength(3);
    expect(first?.at(-1)).toBe('silent');
    expect(others.map((names) => names.includes('silent'))).toEqual([false, false, true]);
    expect(others.map(({ length }) => length)).toEqual([2, 2, 3]);
  });

  it('are checked when it is their turn, even if they did not respond', async () => {
    expect(await looks(1, all, { turn: ['silent'] })).toEqual(['silent']);
  });
});

it('all unresponsive clusters that wait for nodes get their turn, however many there are', async () => {
  const names = Array.from({ length: 60 }, (_, index) => `c${String(index).padStart(2, '0')}`);
  const clusters = names.map((name) => clusterIn('a', name, false));
  const seen = new Set<string | undefined>();
  for (let number = 0; number < 9; number += 1) {
    const found = await looks(number, clusters, { open: names });
    expect(found).toHaveLength(number % 3 === 0 ? 20 : 0);
    for (const name of found) seen.add(name);
  }
  expect(seen.size).toBe(60);
});

it('many clusters in a namespace do not delay those of other namespaces', async () => {
  const many = Array.from({ length: 9 }, (_, index) => clusterIn('many', `m${index}`, true));
  const few = clusterIn('few', 'f', true);
  const all = [...many, few];

  const found = await looks(0, all, { checked: all });

  expect(found.indexOf('f')).toBeLessThan(2);
  expect((await looks(1, all, { checked: all }))[0]).not.toBe(found[0]);
});
