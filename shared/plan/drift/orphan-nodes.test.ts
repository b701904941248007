import type { V1Node } from '@kubernetes/client-node';
import { expect, it } from 'vitest';
import type { Machine } from '../../kinds/index.ts';
import { goneNodes, orphanNodes } from './orphan-nodes.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const node = (name: string, providerID?: string, minutes = 60): V1Node => ({
  metadata: { name, creationTimestamp: new Date(NOW.getTime() - minutes * 60_000) as never },
  spec: { ...(providerID ? { providerID } : {}) },
});
const instanceOf = ({ spec }: V1Node) => /^aws:.*\/(i-\d)$/.exec(spec?.providerID ?? '')?.[1];
const id = (instance: string) => `aws:///us-east-1a/${instance}`;

it('nodes without a machine are deleted if their instance is terminated, or has been unknown for long', () => {
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
  const orphans = orphanNodes(nodes, machines, [], instanceOf);
  const fates = new Map([
    ['i-1', 'gone'],
    ['i-2', 'gone'],
    ['i-3', 'there'],
    ['i-4', 'there'],
  ] as const);
  const fateOf = (id: string) => fates.get(id as 'i-1') ?? 'unknown';
  expect(goneNodes(orphans, { fateOf, graceSeconds: 300 }, NOW).map((orphan) => orphan.node)).toEqual([
    'terminated',
    'unknown',
  ]);
});
