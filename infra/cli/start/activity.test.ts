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

/** An API that returns another list of clusters at each revision. */
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

it('shows new, changed and removed objects, with their cluster and the time', async () => {
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

it('reads only for a few seconds after each write if there are no other writers', async () => {
  const { api, next } = apiOf([
    ...[[], [cluster('Provisioning')], [cluster('Provisioned')], [cluster('Failed')]],
    ...[[cluster('Deleting')], []],
  ]);
  const ended = new AbortController();
  // The second and the fourth poll come long after the last write, and the fifth soon after it.
  const polls = [
    { written: 1, second: 0 },
    { written: 1, second: 20 },
    { written: 2, second: 21 },
    { written: 2, second: 41 },
    { written: 3, second: 42 },
    { written: 3, second: 52 },
  ];
  let looks = 0;
  const sleep = async (): Promise<void> => {
    looks += 1;
    if (!next()) ended.abort();
  };
  const now = () => new Date(2030, 0, 1, 14, 3, polls[looks]?.second ?? 59);
  const clock = { now, sleep } as unknown as Clock;
  const lines: string[] = [];
  const source = { api, clock, writes: () => polls[looks]?.written };
  await followActivity(source, (line) => lines.push(line), ended.signal);
  expect(lines).toEqual([
    '14:03:21  default/demo  Cluster demo  Provisioned',
    '14:03:42  default/demo  Cluster demo  Provisioned → Deleting',
    '14:03:52  default/demo  deleted',
  ]);
});
