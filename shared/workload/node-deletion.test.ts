import { expect, it } from 'vitest';
import type { Sent } from './answers.ts';
import { workloadClient } from './connect.ts';

const NODE = { metadata: { name: 'ip-10-0-0-7', uid: 'u-1' }, spec: { providerID: 'aws:///a/i-7' } };

/** A client of a cluster with this node, and the deletions that it has sent. */
const clientOf = (node: object | undefined, answer = 200) => {
  const deletions: unknown[] = [];
  const send = async ({ method, body }: Sent) => {
    if (method === 'DELETE') deletions.push(body?.value);
    const code = method === 'DELETE' ? answer : node ? 200 : 404;
    return { code, text: JSON.stringify(node ?? {}), isCut: false };
  };
  const client = workloadClient({ send: send as never, run: async () => ({}) as never, close: async () => {} });
  return { client, deletions };
};

it.each([
  ['has the provider id', NODE],
  ['is not initialized yet', { ...NODE, spec: {} }],
])('deleteNode deletes only the intended node if it %s', async (_, node) => {
  const { client, deletions } = clientOf(node);
  await client.deleteNode('ip-10-0-0-7', 'aws:///a/i-7');
  expect(deletions).toEqual([{ preconditions: { uid: 'u-1' } }]);
});

it.each([
  ['is gone', undefined],
  ['belongs to a newer instance with the same address', { ...NODE, spec: { providerID: 'aws:///a/i-8' } }],
])('deleteNode deletes nothing if the node %s', async (_, node) => {
  const { client, deletions } = clientOf(node);
  await client.deleteNode('ip-10-0-0-7', 'aws:///a/i-7');
  expect(deletions).toEqual([]);
});

it('deleteNode treats a node that was replaced in the meantime as gone, and reports other refusals', async () => {
  await clientOf(NODE, 409).client.deleteNode('ip-10-0-0-7', 'aws:///a/i-7');
  await expect(clientOf(NODE, 403).client.deleteNode('ip-10-0-0-7', 'aws:///a/i-7')).rejects.toThrow('403');
});
