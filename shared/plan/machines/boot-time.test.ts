import type { V1Node } from '@kubernetes/client-node';
import { describe, expect, it } from 'vitest';
import type { Machine } from '../../kinds/index.ts';
import { secondsToFirstLook, shortestBoot } from './boot-time.ts';

const START = Date.parse('2026-01-01T00:00:00Z');
const at = (seconds: number): Date => new Date(START + seconds * 1000);

const machine = (name: string, created: number, status: object = {}): Machine =>
  ({ metadata: { name, creationTimestamp: at(created).toISOString() }, spec: { providerID: name }, status }) as Machine;
const node = (name: string, created: number): V1Node => ({
  metadata: { creationTimestamp: at(created) },
  spec: { providerID: name },
});

describe('the shortest time in which a machine has become a node', () => {
  it('is that of the fastest machine that has a node', () => {
    const machines = [machine('a', 0), machine('b', 10), machine('without', 100)];
    expect(shortestBoot(machines, [node('a', 200), node('b', 170), node('of nobody', 1)])).toBe(160);
  });

  it('is unknown if no machine has a node, or only nodes that claim to be older than their machines', () => {
    expect(shortestBoot([machine('a', 0)], [])).toBeUndefined();
    expect(shortestBoot([machine('a', 50)], [node('a', 10)])).toBeUndefined();
    expect(shortestBoot([machine('a', 0)], [{ spec: { providerID: 'a' } }])).toBeUndefined();
  });
});

describe('the first poll for a node', () => {
  it('comes when half of the shortest time is over', () => {
    expect(secondsToFirstLook(machine('new', 0), 150, at(5))).toBe(70);
    expect(secondsToFirstLook(machine('new', 0), 150, at(80))).toBe(0);
  });

  it('is not delayed if nothing is known, or if the node exists but is not ready', () => {
    expect(secondsToFirstLook(machine('new', 0), undefined, at(5))).toBe(0);
    expect(secondsToFirstLook(machine('new', 0, { nodeRef: { name: 'n' } }), 150, at(5))).toBe(0);
  });

  it('is not delayed for longer than a lease, whatever nodes report', () => {
    expect(secondsToFirstLook(machine('new', 0), 1e9, at(5))).toBe(100);
  });
});
