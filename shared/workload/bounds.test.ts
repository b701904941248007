import { describe, expect, it } from 'vitest';
import { listAt, type Send } from './answers.ts';
import { bytesHeld, message } from './bounds.ts';
import { toNode, toPod } from './nodes.ts';
import { servicesApi } from './services-api.ts';

const entries = (count: number, text: string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`example.com/${index}`, text]));
const KIB = 1024;

const METADATA = { name: 'n-1', namespace: 'default', uid: 'u-1', resourceVersion: '1' };
/** A server whose lists have one page with these objects. */
const answering =
  (items: readonly object[]): Send =>
  async () => ({ code: 200, text: JSON.stringify({ metadata: {}, items }) });

describe('an object of a workload cluster', () => {
  it.each([
    ['500 labels', { labels: entries(500, 'x') }],
    ['256 KiB of annotations', { annotations: { a: 'x'.repeat(256 * KIB - 1) } }],
  ])('is read with %s', (_, more) => {
    expect(toNode({ metadata: { ...METADATA, ...more } }).metadata).toMatchObject(more);
  });

  it.each([
    ['501 labels', { labels: entries(501, 'x') }],
    ['a label of 1 KiB', { labels: { a: 'x'.repeat(KIB) } }],
    ['501 annotations', { annotations: entries(501, 'x') }],
    ['annotations of more than 256 KiB together', { annotations: entries(3, 'x'.repeat(100 * KIB)) }],
    ['an annotation that is not text', { annotations: { a: 1 } }],
  ])('is refused with %s', async (_, more) => {
    const metadata = { ...METADATA, ...more };
    expect(() => toNode({ metadata })).toThrow('invalid node');
    expect(() => toPod({ metadata })).toThrow('invalid pod');
    const isOfService = 'annotations' in more;
    const service = { metadata, spec: { type: 'LoadBalancer' } };
    const unread = expect.objectContaining({ unreadField: 'metadata.annotations' });
    if (isOfService) expect(await servicesApi(answering([service])).list()).toEqual([unread]);
  });

  it('is refused with a list of more than 500 items', () => {
    const conditions = Array.from({ length: 501 }, () => ({ type: 'a', status: 'True' }));
    expect(() => toNode({ metadata: METADATA, status: { conditions } })).toThrow('invalid node');
  });

  it('is refused with 100,000 labels', () => {
    const labels = entries(100_000, '');
    expect(() => toNode({ metadata: { ...METADATA, labels } })).toThrow('invalid node');
  });

  it('has messages that are truncated to 2048 characters', () => {
    expect(message.parse('x'.repeat(5000))).toBe('x'.repeat(2048));
  });
});

describe('a list', () => {
  const items = Array.from({ length: 20 }, () => ({ metadata: { ...METADATA, annotations: entries(100, 'x') } }));

  it('is refused if the part that is kept takes too much memory', async () => {
    const held = bytesHeld(toNode(items[0])) * items.length;
    const list = (most: number) => listAt(answering(items), '/api/v1/nodes', toNode, most);
    await expect(list(held - 1)).rejects.toThrow('its list is too large');
    expect(await list(held)).toHaveLength(20);
  });

  it('is measured without recursion', () => {
    let nested: unknown[] = [];
    for (let level = 0; level < 100_000; level += 1) nested = [nested];
    expect(bytesHeld(nested)).toBeGreaterThan(1_000_000);
  });
});
