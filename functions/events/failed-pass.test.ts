import { afterAll, beforeAll, expect, it } from 'vitest';
import { silentLog } from '../../shared/log.ts';
import { startTestDatabase, type TestDatabase } from '../../shared/store/test-table.ts';
import { makeWorld } from '../cluster/objects/test-world.ts';
import { passFailed, readFailedPass } from './failed-pass.ts';

let table: TestDatabase;
beforeAll(async () => {
  table = await startTestDatabase();
});
afterAll(() => table.stop());

const cluster = { namespace: 'default', name: 'red', uid: 'uid-1' };

const eventOf = (status: string, input: unknown) => ({
  source: 'aws.states',
  'detail-type': 'Step Functions Execution Status Change',
  detail: { status, stateMachineArn: 'arn', name: 'uid-1-1', input: JSON.stringify(input) },
});

const world = async () => {
  const { work } = await makeWorld(table);
  const touched: string[] = [];
  const ref = { ...cluster, uid: crypto.randomUUID() };
  const holder = `${ref.uid}-1`;
  const die = async (status = 'FAILED', by = holder) => {
    const failed = readFailedPass(eventOf(status, { cluster: ref, wanted: 1, holder: by }));
    if (!failed) throw new Error('not read');
    const touch = async ({ name }: { name: string }) => void touched.push(name);
    return passFailed({ work, touch, log: silentLog }, failed);
  };
  await work.touch(ref);
  return { work, ref, holder, die, touched };
};

it('releases the lease of a crashed pass, and starts the next one immediately', async () => {
  const { work, ref, holder, die, touched } = await world();
  await work.begin(ref, holder, 180);
  expect(await die()).toBe(true);
  expect(touched).toEqual(['red']);
  expect(await work.begin(ref, 'next', 180)).toMatchObject({ acquired: true, attempts: 1 });
});

it('leaves a pass that crashes again, or was stopped manually, to the sweep', async () => {
  const { work, ref, holder, die, touched } = await world();
  await work.begin(ref, holder, 180);
  await die('ABORTED');
  await work.begin(ref, holder, 180);
  await die('TIMED_OUT');
  expect(touched).toEqual([]);
  expect((await work.get(ref))?.holder).toBeUndefined();
});

it('changes neither the lease of another pass nor a cluster without work', async () => {
  const { work, ref, die, touched } = await world();
  await work.begin(ref, 'another', 180);
  expect(await die()).toBe(false);
  expect((await work.get(ref))?.holder).toBe('another');
  await work.remove(ref);
  expect(await die()).toBe(false);
  expect(await work.get(ref)).toBeUndefined();
  expect(touched).toEqual([]);
});

it('ignores all other events', () => {
  const input = { cluster, wanted: 1, holder: 'x' };
  for (const event of [
    eventOf('SUCCEEDED', input),
    eventOf('RUNNING', input),
    eventOf('FAILED', { machine: {} }),
    { ...eventOf('FAILED', input), detail: { status: 'FAILED', input: '{' } },
    { ...eventOf('FAILED', input), source: 'tenant.states' },
    {},
  ])
    expect(readFailedPass(event)).toBeUndefined();
});
