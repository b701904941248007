import type { V1Node } from '@kubernetes/client-node';
import { expect, it } from 'vitest';
import type { Machine } from '../../../../kinds/index.ts';
import { goneNodes, orphanNodes } from './orphan-nodes.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const node = (name: string, providerID?: string, minutes = 60): V1Node => ({
  metadata: { name, creationTimestamp: new Date(NOW.getTime() - minutes * 60_000) as never },
  spec: { ...(providerID ? { providerID } : {}) },
});
const id = (instance: string) => `aws:///us-east-1a/${instance}`;

it('nodes without a machine go when their instance is terminated, or unknown for long', () => {
  const nodes = [
    node('machine', id('i-1')),
    node('terminated', id('i-2')),
    node('running', id('i-3')),
    node('shutting-down', id('i-4')),
    node('unknown', id('i-5')),
    node('unknown-and-new', id('i-6'), 4),
    node('no-provider-id'),
    node('elsewhere', 'gce://project/zone/i-7'),
  ];
  const machines = [{ spec: { providerID: id('i-1') } } as Machine];
  const orphans = orphanNodes(nodes, machines, []);
  const states = new Map([
    ['i-1', 'terminated'],
    ['i-2', 'terminated'],
    ['i-3', 'running'],
    ['i-4', 'shutting-down'],
  ]);
  expect(goneNodes(orphans, states, NOW).map((orphan) => orphan.node)).toEqual(['terminated', 'unknown']);
});
