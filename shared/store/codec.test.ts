import { expect, it } from 'vitest';
import type { KubeObject } from '../kube-api/object.ts';
import { createCodec } from './codec.ts';

const codec = createCodec({ seal: async (data) => data, open: async (data) => data });

const CLUSTERS = { group: 'cluster.x-k8s.io', plural: 'clusters' };
const CONFIG_MAPS = { group: '', plural: 'configmaps' };

const object = (content: unknown): KubeObject =>
  ({ apiVersion: 'v1', kind: 'Any', metadata: { name: 'any', namespace: 'default' }, spec: { content } }) as KubeObject;

const text = (bytes: number): string => 'x'.repeat(bytes);
const list = (length: number): object[] => Array.from({ length }, () => ({}));

it.each([
  { what: 'a long text', resource: CLUSTERS, content: text(513 * 1024), message: /at most 524288 can be kept/ },
  { what: 'many values', resource: CLUSTERS, content: list(50_001), message: /more than 50000 fields and list items/ },
  { what: 'a longer text', resource: CONFIG_MAPS, content: text(1537 * 1024), message: /at most 1572864 can be kept/ },
  { what: 'more values', resource: CONFIG_MAPS, content: list(100_001), message: /more than 100000 fields/ },
])('refuses $what in $resource.plural, although it shrinks when it is compressed', async (given) => {
  const { resource, content, message } = given;
  await expect(codec.encode(resource, object(content))).rejects.toThrow(message);
  await expect(codec.encodeTombstone(resource, object(content))).resolves.toBeDefined();
});

it('takes what any other API server takes, of kinds that no sweep reads', async () => {
  await expect(codec.encode(CONFIG_MAPS, object(text(1024 * 1024)))).resolves.toBeDefined();
  await expect(codec.encode(CONFIG_MAPS, object(list(90_000)))).resolves.toBeDefined();
  await expect(codec.encode(CLUSTERS, object(list(40_000)))).resolves.toBeDefined();
});
