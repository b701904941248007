import { expect, it } from 'vitest';
import type { Send } from './answers.ts';
import { workloadClient } from './connect.ts';

const secret = (name: string, type: string) => ({
  metadata: { name },
  type,
  data: { description: Buffer.from(`of ${name}`).toString('base64') },
});

const SECRETS = [secret('bootstrap-token-a', 'bootstrap.kubernetes.io/token'), secret('b', 'Opaque')];

const clientOf = (code: number) => {
  const paths: string[] = [];
  const send: Send = async ({ path }) => {
    paths.push(path);
    if (path.includes('fieldSelector='))
      return { code, text: code === 200 ? JSON.stringify({ items: [SECRETS[0]] }) : '' };
    return { code: 200, text: JSON.stringify({ items: SECRETS }) };
  };
  const client = workloadClient({ send, run: async () => ({}) as never, close: async () => {} });
  return { client, paths };
};

it('only bootstrap tokens are requested', async () => {
  const { client, paths } = clientOf(200);
  expect(await client.bootstrapTokens()).toEqual([{ name: 'bootstrap-token-a', description: 'of bootstrap-token-a' }]);
  expect(paths).toHaveLength(1);
});

it('bootstrap tokens are found among all Secrets if an API server cannot select them', async () => {
  const { client } = clientOf(500);
  expect(await client.bootstrapTokens()).toEqual([{ name: 'bootstrap-token-a', description: 'of bootstrap-token-a' }]);
});

it('a forbidden request for bootstrap tokens fails, and no other Secrets are requested', async () => {
  const { client, paths } = clientOf(403);
  await expect(client.bootstrapTokens()).rejects.toMatchObject({ code: 403 });
  expect(paths).toHaveLength(1);
});
