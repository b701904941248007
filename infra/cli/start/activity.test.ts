import { expect, it } from 'vitest';
import type { Clock } from '../../../shared/clock.ts';
import type { Api } from '../api/client.ts';
import { followActivity } from './activity.ts';

const cluster = (phase: string) => ({
  kind: 'Cluster',
  metadata: { namespace: 'default', name: 'demo' },
  spec: {},
  status: { phase },
});

/** An API whose clusters are another list at each revision. */
const apiOf = (looks: readonly (readonly object[])[]): { api: Api; next(): boolean } => {
  let look = 0;
  const send = async (_method: string, path: string) => ({
    items: path.includes('/clusters') ? looks[look] : [],
    metadata: { resourceVersion: String(look) },
  });
  return {
    api: { send: send as Api['send'], close: () => {} },
    next: () => {
      look += 1;
      return look < looks.length;
    },
  };
};

it('shows what appears, changes and goes, with its cluster and the time', async () => {
  const { api, next } = apiOf([[], [cluster('Provisioning')], [cluster('Provisioned')], []]);
  const ended = new AbortController();
  const sleep = async (): Promise<void> => {
    if (!next()) ended.abort();
  };
  const clock = { now: () => new Date(2030, 0, 1, 14, 3, 59), sleep } as unknown as Clock;
  const lines: string[] = [];
  await followActivity({ api, clock, writes: () => undefined }, (line) => lines.push(line), ended.signal);
  expect(lines).toEqual([
    '14:03:59  default/demo  Cluster demo  Provisioning',
    '14:03:59  default/demo  Cluster demo  Provisioning → Provisioned',
    '14:03:59  default/demo  deleted',
  ]);
});

it('reads only after a write if there are no other writers', async () => {
  const { api, next } = apiOf([[], [cluster('Provisioning')], [cluster('Provisioned')], [cluster('Failed')], []]);
  const ended = new AbortController();
  const written = [1, 1, 2, 2, 3];
  let looks = 0;
  const sleep = async (): Promise<void> => {
    looks += 1;
    if (!next()) ended.abort();
  };
  const clock = { now: () => new Date(2030, 0, 1, 14, 3, 59), sleep } as unknown as Clock;
  const lines: string[] = [];
  await followActivity({ api, clock, writes: () => written[looks] }, (line) => lines.push(line), ended.signal);
  expect(lines).toEqual(['14:03:59  default/demo  Cluster demo  Provisioned', '14:03:59  default/demo  deleted']);
});
