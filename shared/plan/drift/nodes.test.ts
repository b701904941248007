import { expect, it } from 'vitest';
import type { Machine } from '../../kinds/index.ts';
import { isNodeNews } from './nodes.ts';

const ID = 'aws:///us-east-1a/i-1';
const node = (ready: 'True' | 'False', providerID = ID) => ({
  metadata: { name: 'n' },
  spec: { providerID },
  status: { conditions: [{ type: 'Ready', status: ready }] },
});
const machine = (status: object, metadata: object = {}): Machine =>
  ({
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: { name: 'm', ...metadata },
    spec: { providerID: ID },
    status,
  }) as Machine;
const joined = (ready: string) => ({ nodeRef: { name: 'n' }, conditions: [{ type: 'NodeReady', status: ready }] });

it.each([
  ['the node of a machine that waited for one', machine({}), [node('False')], true],
  ['a node that has become ready', machine(joined('False')), [node('True')], true],
  ['a node that is still not ready', machine(joined('False')), [node('False')], false],
  ['a node that is known to be ready', machine(joined('True')), [node('True')], false],
  ['a node of another instance', machine({}), [node('True', 'aws:///us-east-1a/i-2')], false],
  ['a node of a machine that goes', machine({}, { deletionTimestamp: '2026-01-01T00:00:00Z' }), [node('True')], false],
])('%s', (_, waiting, nodes, isNews) => {
  expect(isNodeNews(waiting, nodes)).toBe(isNews);
});
