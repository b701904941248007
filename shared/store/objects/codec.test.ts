import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../kube-api/object.ts';
import { createCodec, type StoredObject } from './codec.ts';

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
])('the codec refuses $what in $resource.plural, although it shrinks when it is compressed', async (given) => {
  const { resource, content, message } = given;
  await expect(codec.encode(resource, object(content))).rejects.toThrow(message);
  await expect(codec.encodeTombstone(resource, object(content))).resolves.toBeDefined();
});

it('the codec accepts what any other API server accepts, for kinds that no sweep reads', async () => {
  await expect(codec.encode(CONFIG_MAPS, object(text(1024 * 1024)))).resolves.toBeDefined();
  await expect(codec.encode(CONFIG_MAPS, object(list(90_000)))).resolves.toBeDefined();
  await expect(codec.encode(CLUSTERS, object(list(40_000)))).resolves.toBeDefined();
});

describe('a key of KMS', () => {
  const secrets = { group: '', plural: 'secrets' };
  const secret = { ...object({}), metadata: { name: 'one', namespace: 'a' }, data: { a: 'YQ==' } } as KubeObject;
  const answering = (name: string, httpStatusCode: number) => {
    const refuse = () =>
      Promise.reject(Object.assign(new Error('arn:aws:kms:key/1 says no'), { name, $metadata: { httpStatusCode } }));
    return createCodec({ seal: refuse, open: refuse });
  };
  const stored = { body: JSON.stringify(secret), sealed: new Uint8Array(), version: 1 } as StoredObject;

  it.each(['DisabledException', 'KMSInvalidStateException', 'NotFoundException', 'AccessDeniedException'])(
    'that fails with %s is reported with the name of the Secret, as a refusal',
    async (name) => {
      const codec = answering(name, 400);
      const why = `${name.replace('Exception', '')}: arn:aws:kms:key/1 says no`;
      await expect(codec.decode(secrets, stored)).rejects.toThrow(`the data of Secret a/one cannot be opened: ${why}`);
      await expect(codec.encode(secrets, secret)).rejects.toThrow(`the data of Secret a/one cannot be sealed: ${why}`);
      await expect(codec.decode(secrets, stored)).rejects.toMatchObject({ name: 'Refused' });
    },
  );

  it.each([
    ['ThrottlingException', 400],
    ['KMSInternalException', 500],
  ])('that fails with %s is reported with its own error, so that the call is repeated', async (name, status) => {
    await expect(answering(name, status).decode(secrets, stored)).rejects.toMatchObject({ name });
  });
});
