import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { makeScale } from './heap-weight.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const heap = (): number => {
  collect();
  collect();
  return process.memoryUsage().heapUsed;
};

const unique = (index: number, nth: number): string =>
  `${String.fromCharCode(97 + (index % 26))}${nth.toString(36)}-${index}`;

const times = <T>(count: number, make: (nth: number) => T): T[] => Array.from({ length: count }, (_, nth) => make(nth));

/** The values that take up the most memory relative to their JSON. */
const HOSTILE: Record<string, (index: number) => unknown> = {
  'empty objects': () => times(10_000, () => ({})),
  'empty lists': () => times(40_000, () => []),
  numbers: () => times(400_000, () => 0),
  'fractions among texts': () => times(100_000, (nth) => (nth % 2 ? nth + 0.5 : '')),
  'short texts': (index) => times(10_000, (nth) => unique(index, nth)),
  'one object of different keys': (index) => Object.fromEntries(times(10_000, (nth) => [unique(index, nth), ''])),
  'objects with one key each': (index) => times(5_000, (nth) => ({ [unique(index, nth)]: 0 })),
  'objects with the same key': () => times(5_000, () => ({ key: 0 })),
  'objects with keys in different orders': (index) => {
    const keys = times(90, (nth) => unique(0, nth));
    return times(5_000, (nth) => {
      const [first, second, third] = [nth % 90, Math.floor(nth / 90) % 90, (nth + index * 7) % 90];
      return { [keys[first] ?? '']: 0, [keys[second] ?? '']: 0, [keys[third] ?? '']: 0 };
    });
  },
  'numbers for keys': () => times(5_000, () => ({ 900: 0 })),
  'a long text': (index) => `${'a'.repeat(500_000)}${index}`,
  'a long text with one wide character': (index) => `${'a'.repeat(500_000)}\u4e2d${index}`,
  'lists in each other': () => times(2_000, () => [[[[[]]]]]),
};

const CONDITIONS = ['Ready', 'Available', 'BootstrapConfigReady', 'InfrastructureReady', 'NodeReady', 'NodeHealthy'];

const MACHINE = (index: number) => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Machine',
  metadata: {
    ...{ name: `red-${index}`, namespace: 'default', uid: `0b7b2f4c-1111-2222-3333-${index}`, generation: 3 },
    labels: { 'cluster.x-k8s.io/cluster-name': 'red', 'cluster.x-k8s.io/deployment-name': 'red-md-0' },
    ownerReferences: [{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'MachineSet', name: 'red-md-0', uid: '0b7b' }],
    managedFields: times(4, (nth) => ({
      ...{ manager: `manager-${nth}`, operation: 'Update', time: '2026-11-20T12:00:00Z', fieldsType: 'FieldsV1' },
      fieldsV1: {
        'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } },
        'f:spec': { 'f:version': {}, 'f:bootstrap': {} },
      },
    })),
  },
  spec: { clusterName: 'red', version: 'v1.34.1', providerID: `aws:///eu-central-1a/i-${index}` },
  status: {
    nodeRef: { name: `ip-10-0-0-${index}` },
    addresses: times(4, (nth) => ({ type: 'InternalIP', address: `10.0.${nth}.${index}` })),
    conditions: CONDITIONS.map((type) => ({ type, status: 'True', reason: type, message: '', observedGeneration: 3 })),
  },
});

/** The heap that parsed copies take up in bytes, and their estimated weight. */
const measure = (count: number, make: (index: number) => unknown): { taken: number; weight: number } => {
  const texts = times(count, (index) => JSON.stringify(make(index)));
  const scale = makeScale();
  const weight = texts.reduce(
    (sum, text) => sum + scale.weigh('default', JSON.parse(text), Buffer.byteLength(text) !== text.length),
    0,
  );
  const takenOnce = (): number => {
    const before = heap();
    const kept = texts.map((text) => JSON.parse(Buffer.from(text).toString('utf8')));
    const taken = heap() - before;
    expect(kept).toHaveLength(count);
    return taken;
  };
  // The test runner may allocate or free memory at any time, which hardly affects the median of three measurements.
  const [, taken = 0] = [takenOnce(), takenOnce(), takenOnce()].sort((a, b) => a - b);
  return { taken, weight };
};

describe('the weight of objects that a user can create', () => {
  it.each(Object.entries(HOSTILE))('covers %s', (_, make) => {
    const { taken, weight } = measure(4, make);
    expect(weight / taken).toBeGreaterThan(0.9);
  });
});

it('the weight of Machines is at most twice the memory that they take', () => {
  const { taken, weight } = measure(500, MACHINE);
  expect(weight / taken).toBeGreaterThan(0.9);
  expect(weight / taken).toBeLessThan(2);
});

it('the weight counts only once what several objects share', () => {
  const scale = makeScale();
  const first = scale.weigh('a', MACHINE(1));
  expect(scale.weigh('b', MACHINE(2))).toBeLessThan(first / 1.5);
});

it('the scale remembers a limited number of keys of a namespace, so that it takes little memory itself', () => {
  const scale = makeScale();
  for (let nth = 0; nth < 9_000; nth += 1) scale.weigh('a', { [`key-${nth}`]: 0 });
  const [known, unknown] = [scale.weigh('a', { 'key-1': 0 }), scale.weigh('a', { 'key-8999': 0 })];
  expect(unknown).toBeGreaterThan(known);
  expect(scale.weigh('a', { 'key-8999': 0 })).toBe(unknown);
});
