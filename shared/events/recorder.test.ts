import { beforeEach, describe, expect, it } from 'vitest';
import type { Clock } from '../clock.ts';
import { KINDS, kinds } from '../kinds/index.ts';
import { createRegistry } from '../kube-api/registry/create-registry.ts';
import type { ObjectClient } from '../kube-api/storage/client.ts';
import { createMemoryStorage } from '../kube-api/storage/memory-storage.ts';
import { createObjectClient } from '../kube-api/storage/object-client.ts';
import { systemRandom } from '../random.ts';
import { callReasons, normal, warning } from './catalogue.ts';
import { makeRecorder, type RecorderOf } from './recorder.ts';

const TOYS = {
  Painted: normal({ Toy: 'The toy was painted.' }),
  Broken: warning({ Toy: 'The toy is broken.' }),
  ...callReasons(['Toy'], { BuyToy: 'buy a toy' }),
};

const clock: Clock = { now: () => new Date('2026-11-20T12:00:00Z'), sleep: async () => {} };
const toy = { apiVersion: 'toys/v1', kind: 'Toy', metadata: { namespace: 'default', name: 'bear', uid: 'u-1' } };
let objects: ObjectClient;
let recorder: RecorderOf<typeof TOYS>;

beforeEach(() => {
  const storage = createMemoryStorage();
  objects = createObjectClient(createRegistry({ resources: KINDS, storage, clock, random: systemRandom }));
  recorder = makeRecorder<typeof TOYS>({ objects, clock }, 'toy-maker');
});

const recorded = async () =>
  (await objects.list(kinds.event, 'default')).map(({ type, reason, message, source, involvedObject }) => [
    type,
    reason,
    message,
    source?.component,
    involvedObject?.name,
  ]);

describe('an event recorder', () => {
  it('records reasons of its catalogue in the name of its component', async () => {
    await recorder.normal(toy, 'Painted', 'red');
    await recorder.warning(toy, 'Broken', 'an ear is off');
    await recorder.normal(toy, 'SuccessfulBuyToy', 'bought');
    await recorder.warning(toy, 'FailedBuyToy', 'too expensive');

    expect((await recorded()).sort()).toEqual([
      ['Normal', 'Painted', 'red', 'toy-maker', 'bear'],
      ['Normal', 'SuccessfulBuyToy', 'bought', 'toy-maker', 'bear'],
      ['Warning', 'Broken', 'an ear is off', 'toy-maker', 'bear'],
      ['Warning', 'FailedBuyToy', 'too expensive', 'toy-maker', 'bear'],
    ]);
  });

  it('does not compile with a reason that its catalogue lacks or lists with the other type', () => {
    // @ts-expect-error: no such reason
    const unknown = () => recorder.normal(toy, 'Sold', '');
    // @ts-expect-error: a warning
    const wrong = () => recorder.normal(toy, 'Broken', '');
    // @ts-expect-error: its catalogue lacks Broken
    const smaller: RecorderOf<typeof TOYS> = makeRecorder<Pick<typeof TOYS, 'Painted'>>({ objects, clock }, 'painter');

    expect([unknown, wrong, smaller]).toHaveLength(3);
  });
});

describe('the reasons of a call', () => {
  it('describe the purpose of the call', () => {
    expect(callReasons(['A', 'B'], { BuyToy: 'buy a toy' })).toEqual({
      SuccessfulBuyToy: {
        type: 'Normal',
        on: { A: 'A call to buy a toy succeeded.', B: expect.any(String) as string },
      },
      FailedBuyToy: {
        type: 'Warning',
        on: expect.objectContaining({ B: 'A call to buy a toy failed.' }) as object,
      },
    });
  });
});
