import { describe, expect, it } from 'vitest';
import type { AWSMachine, Cluster, Machine } from '../../../../kinds/index.ts';
import { type KnownMachine, planDrift } from './states.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const LONG_AGO = '2026-11-20T10:00:00Z';
const JUST_NOW = '2026-11-20T11:59:00Z';

interface Given {
  created?: string;
  state?: string;
  deleting?: boolean;
  paused?: boolean;
  instanceID?: string;
  node?: boolean;
}

const known = (name: string, given: Given = {}): KnownMachine => {
  const { created = LONG_AGO, state = 'running', deleting = false, paused = false, instanceID = `i-${name}` } = given;
  const status = given.node ? { nodeRef: { name } } : {};
  const metadata = { namespace: 'default', name, creationTimestamp: created };
  return {
    machine: { metadata: { ...metadata, ...(deleting ? { deletionTimestamp: JUST_NOW } : {}) }, status } as Machine,
    infrastructure: {
      metadata,
      spec: { instanceType: 'm', ...(instanceID ? { instanceID, providerID: `aws:///a/${instanceID}` } : {}) },
      status: { instanceState: state },
    } as unknown as AWSMachine,
    cluster: { metadata: { namespace: 'default', name: 'red' }, spec: { paused } } as Cluster,
  };
};

const plan = (machines: KnownMachine[], states: Record<string, string>) =>
  planDrift({ machines, states: new Map(Object.entries(states)), now: NOW });

describe('the sweep', () => {
  it.each<{ given: Given; states: Record<string, string>; found: string[]; reason: string }>([
    { given: {}, states: { 'i-a': 'running' }, found: [], reason: 'everything is as expected' },
    { given: {}, states: { 'i-a': 'terminated' }, found: ['terminated'], reason: 'it was terminated' },
    { given: {}, states: { 'i-a': 'shutting-down' }, found: ['shutting-down'], reason: 'it is shutting down' },
    { given: {}, states: { 'i-a': 'stopped' }, found: ['stopped'], reason: 'someone stopped it' },
    { given: { state: 'stopped' }, states: { 'i-a': 'running' }, found: ['running'], reason: 'someone started it' },
    { given: {}, states: {}, found: ['terminated'], reason: 'EC2 no longer lists it' },
    { given: { created: JUST_NOW }, states: {}, found: [], reason: 'EC2 may not list it yet' },
    { given: { state: 'terminated' }, states: {}, found: [], reason: 'this is already known' },
    { given: { state: 'pending' }, states: { 'i-a': 'terminated' }, found: [], reason: 'its own execution checks it' },
    {
      given: { state: 'pending', node: true },
      states: { 'i-a': 'running' },
      found: ['running'],
      reason: 'it was started',
    },
    { given: { deleting: true }, states: { 'i-a': 'terminated' }, found: [], reason: 'it is being deleted' },
    { given: { paused: true }, states: { 'i-a': 'terminated' }, found: [], reason: 'the cluster is paused' },
    { given: { instanceID: '' }, states: {}, found: [], reason: 'it has no instance' },
  ])('finds $found because $reason', ({ given, states, found }) => {
    expect(plan([known('a', given)], states).findings.map(({ state }) => state)).toEqual(found);
  });

  const fleet = (size: number) => Array.from({ length: size }, (_, index) => known(String(index)));
  const lose = (size: number, lost: number) =>
    plan(
      fleet(size),
      Object.fromEntries(
        fleet(size).map(({ infrastructure }, index) => [
          infrastructure.spec.instanceID ?? '',
          index < lost ? 'terminated' : 'running',
        ]),
      ),
    );

  it.each([
    { size: 10, lost: 5, isSuspicious: false, reason: 'half of a fleet is not most of it' },
    {
      size: 10,
      lost: 6,
      isSuspicious: true,
      reason: 'losing most of a fleet at once is probably an error of the sweep',
    },
    { size: 4, lost: 4, isSuspicious: false, reason: 'so few can be lost at once' },
    { size: 5, lost: 5, isSuspicious: true, reason: 'five are enough' },
  ])('with $lost of $size lost is suspicious: $isSuspicious, because $reason', ({ size, lost, isSuspicious }) => {
    expect(lose(size, lost)).toMatchObject({
      suspended: new Set(isSuspicious ? ['default'] : []),
      lost,
      considered: size,
    });
  });

  const inNamespace = (namespace: string, size: number): KnownMachine[] =>
    Array.from({ length: size }, (_, index) => {
      const { machine, ...rest } = known(`${namespace}-${index}`);
      return { machine: { ...machine, metadata: { ...machine.metadata, namespace } }, ...rest };
    });
  const suspended = (machines: KnownMachine[], isRunning: (name: string) => boolean) => {
    const states = machines.map(({ machine: { metadata } }): [string, string] => [
      `i-${metadata.name}`,
      isRunning(metadata.name) ? 'running' : 'terminated',
    ]);
    return [...planDrift({ machines, states: new Map(states), now: NOW }).suspended].sort();
  };

  it('is not suspended by losses in a single other namespace', () => {
    const machines = [...inNamespace('mallory', 50), ...inNamespace('a', 4), ...inNamespace('b', 4)];
    expect(suspended(machines, (name) => !name.startsWith('mallory'))).toEqual(['mallory']);
  });

  it('is suspended everywhere if the losses are everywhere', () => {
    const machines = [...inNamespace('a', 3), ...inNamespace('b', 3), ...inNamespace('c', 1)];
    expect(suspended(machines, () => false)).toEqual(['a', 'b', 'c']);
  });
});
