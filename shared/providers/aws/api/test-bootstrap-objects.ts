import type { BootstrapObjects } from './bootstrap-objects.ts';

/** For tests: objects in a map, by `bucket/key`. */
export const fakeBootstrapObjects = (kept = new Map<string, string>()): BootstrapObjects => ({
  put: async ({ bucket, key, body }) => void kept.set(`${bucket}/${key}`, Buffer.from(body).toString('utf8')),
  presign: async ({ bucket, key, seconds }) => `https://${bucket}.example.com/${key}?seconds=${seconds}`,
  delete: async ({ bucket, key }) => void kept.delete(`${bucket}/${key}`),
});
