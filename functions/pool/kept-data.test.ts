/** A pool whose bootstrap data cannot be rendered. */
import { expect, it } from 'vitest';
import { kinds } from '../../shared/kinds/index.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import { KEY, usePoolWorlds } from './test-world.ts';

const makeWorld = usePoolWorlds();

const SECRET = { namespace: 'default', name: 'motd' };
const files = [{ path: '/etc/motd', contentFrom: { secret: { name: SECRET.name, key: 'text' } } }];
const WISHES = {
  config: { kind: 'KubeadmConfig', spec: { files } },
  objects: [{ apiVersion: 'v1', kind: 'Secret', metadata: SECRET, data: { text: 'aGVsbG8=' } } as KubeObject],
} as const;

it('a pool whose data cannot be renewed keeps it, and its group is reconciled without recording the result', async () => {
  const w = await makeWorld(WISHES);
  await w.begin();
  await w.bootstrap();
  const before = (await w.secret())?.data;
  await w.objects.delete(kinds.secret, (await w.objects.get(kinds.secret, SECRET)) as never);

  const result = await w.bootstrap();

  expect(result).toEqual({ digest: '' });
  expect((await w.secret())?.data).toEqual(before);
  const events = await w.objects.list(kinds.event, 'default');
  expect(events).toMatchObject([{ reason: 'FailedReconcile', message: expect.stringContaining('motd') }]);
  const config = await w.objects.get(kinds.kubeadmConfig, KEY);
  expect(JSON.stringify(config?.status?.conditions)).toContain('motd');
  await w.finish({ ...result, outcome: 'done' });
  const next = { ...w.input, holder: 'next' };
  expect(await w.beginOf(next)).toMatchObject({ proceed: false });
  await w.clock.advance(25);
  expect(await w.beginOf(next)).toMatchObject({ proceed: true });
});

it('a pool without any data fails if its data cannot be rendered', async () => {
  const w = await makeWorld({ config: WISHES.config });
  await w.begin();
  await expect(w.bootstrap()).rejects.toThrow('motd');
});
