import { beforeEach, describe, expect, it } from 'vitest';
import { type AWSMachine, KINDS, kinds } from '../../kinds/index.ts';
import { createRegistry } from '../../kube-api/registry/create-registry.ts';
import { withoutFinalizer } from '../../kube-api/registry/finalizers.ts';
import type { ObjectClient } from '../../kube-api/storage/client.ts';
import { createMemoryStorage } from '../../kube-api/storage/memory-storage.ts';
import { createObjectClient } from '../../kube-api/storage/object-client.ts';
import { LAUNCH_ANNOTATION, readRecordedLaunch, withRecordedLaunch } from '../../providers/aws/plan/launch/recorded.ts';
import { systemRandom } from '../../random.ts';
import { testClock } from '../test-table.ts';
import { createMemoryRecords } from './memory-records.ts';
import type { Records } from './records.ts';
import { withMemory } from './remembering-client.ts';

const KEY = { namespace: 'default', name: 'm-1' };
const LAUNCH = { at: '2030-01-01T00:00:00Z', request: { MinCount: 1, MaxCount: 1 } };
const FORGED = JSON.stringify({ at: '2030-01-01T00:00:00Z', request: { MinCount: 5, MaxCount: 5 } });

const machine = (annotations?: Record<string, string>): AWSMachine =>
  ({
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'AWSMachine',
    metadata: { ...KEY, ...(annotations ? { annotations } : {}), finalizers: ['f'] },
    spec: { instanceType: 't3.large' },
  }) as AWSMachine;

const annotate = (current: AWSMachine, annotations: Record<string, string>): AWSMachine => ({
  ...current,
  metadata: { ...current.metadata, annotations: { ...current.metadata.annotations, ...annotations } },
});

/** Adds a hook before a write, in which another writer can write first. */
const hooked = (records: Records) => {
  let before: (() => Promise<unknown>) | undefined;
  const once = async () => {
    const hook = before;
    before = undefined;
    await hook?.();
  };
  return {
    records: {
      ...records,
      write: async (...args: Parameters<Records['write']>) => {
        await once();
        return records.write(...args);
      },
    },
    beforeWrite: (hook: () => Promise<unknown>) => {
      before = hook;
    },
  };
};

describe('objects with records of controllers', () => {
  let clock: ReturnType<typeof testClock>;
  let user: ObjectClient;
  let records: Records;
  let controllers: ObjectClient;
  let beforeWrite: ReturnType<typeof hooked>['beforeWrite'];
  beforeEach(() => {
    clock = testClock();
    const registry = createRegistry({ resources: KINDS, storage: createMemoryStorage(), clock, random: systemRandom });
    user = createObjectClient(registry, 'someone');
    records = createMemoryRecords();
    const parts = hooked(records);
    beforeWrite = parts.beforeWrite;
    controllers = withMemory(createObjectClient(registry), parts.records);
  });
  const remembered = async () => readRecordedLaunch((await controllers.get(kinds.awsMachine, KEY)) as AWSMachine);
  const recordLaunch = () =>
    controllers.mutate(kinds.awsMachine, KEY, (current) =>
      readRecordedLaunch(current)?.request ? undefined : withRecordedLaunch(current, LAUNCH as never),
    );

  it('are listed with their records in a survey', async () => {
    await controllers.ensure(kinds.awsMachine, machine({ [LAUNCH_ANNOTATION]: FORGED }));
    await recordLaunch();
    await controllers.ensure(kinds.awsMachine, { ...machine(), metadata: { ...machine().metadata, name: 'm-2' } });

    const [first, second] = await controllers.survey(kinds.awsMachine, ['default']);

    expect(readRecordedLaunch(first as AWSMachine)).toEqual(LAUNCH);
    expect(readRecordedLaunch(second as AWSMachine)).toBeUndefined();
    expect(await controllers.survey(kinds.awsMachine, ['other'])).toEqual([]);
  });

  it('have a record of their launch that users do not see', async () => {
    await controllers.ensure(kinds.awsMachine, machine());

    const written = await recordLaunch();

    expect(readRecordedLaunch(written as AWSMachine)).toEqual(LAUNCH);
    expect(await remembered()).toEqual(LAUNCH);
    const served = await user.get(kinds.awsMachine, KEY);
    expect(served?.metadata.annotations).toBeUndefined();
    const [listed] = await controllers.list(kinds.awsMachine, 'default');
    expect(readRecordedLaunch(listed as AWSMachine)).toEqual(LAUNCH);
  });

  it('do not take a record from the annotations of a user', async () => {
    await controllers.ensure(kinds.awsMachine, machine());
    await recordLaunch();

    await user.mutate(kinds.awsMachine, KEY, (current) => annotate(current, { [LAUNCH_ANNOTATION]: FORGED }));

    expect(await remembered()).toEqual(LAUNCH);
  });

  it.each([FORGED, '{', '[]', '{"attempt": -1}'])(
    'treat an annotation of version 0.1 only as a sign that there may be an instance: %s',
    async (text) => {
      await user.ensure(kinds.awsMachine, machine({ [LAUNCH_ANNOTATION]: text }));

      const launch = await remembered();

      expect(launch).toMatchObject({ isUnproven: true });
      expect(launch).not.toHaveProperty('request');
    },
  );

  it('lose an annotation of version 0.1 once there is a record', async () => {
    await user.ensure(kinds.awsMachine, machine({ [LAUNCH_ANNOTATION]: FORGED, mine: 'kept' }));
    await recordLaunch();

    await controllers.mutate(kinds.awsMachine, KEY, (current) => annotate(current, { other: 'too' }));

    expect((await user.get(kinds.awsMachine, KEY))?.metadata.annotations).toEqual({ mine: 'kept', other: 'too' });
    expect(await remembered()).toEqual(LAUNCH);
  });

  it('are changed again if another run has written the record in the meantime', async () => {
    await controllers.ensure(kinds.awsMachine, machine());
    const { uid = '' } = (await user.get(kinds.awsMachine, KEY))?.metadata ?? {};
    const others = { [LAUNCH_ANNOTATION]: JSON.stringify({ ...LAUNCH, attempt: 7 }) };
    beforeWrite(() => records.write({ namespace: 'default', uid }, others, 0));

    const written = await recordLaunch();

    expect(readRecordedLaunch(written as AWSMachine)?.attempt).toBe(7);
  });

  it('are written together with their records', async () => {
    await controllers.ensure(kinds.awsMachine, machine());

    await controllers.mutate(kinds.awsMachine, KEY, (current) =>
      withRecordedLaunch({ ...current, spec: { ...current.spec, instanceID: 'i-1' } }, LAUNCH as never),
    );

    expect((await user.get(kinds.awsMachine, KEY))?.spec.instanceID).toBe('i-1');
    expect(await remembered()).toEqual(LAUNCH);
  });

  it('get no launch record if they are deleted at the same time', async () => {
    await controllers.ensure(kinds.awsMachine, machine());
    await user.delete(kinds.awsMachine, KEY);
    beforeWrite(() =>
      controllers.mutate(kinds.awsMachine, KEY, (current) => ({
        ...current,
        metadata: { ...current.metadata, finalizers: [] },
      })),
    );

    expect(await recordLaunch()).toBeUndefined();

    expect(await user.get(kinds.awsMachine, KEY)).toBeUndefined();
    expect(await records.list('default')).toEqual([]);
  });

  it('are not changed if they have replaced the intended object', async () => {
    const { object: former } = await controllers.ensure(kinds.awsMachine, machine());
    await user.mutate(kinds.awsMachine, KEY, withoutFinalizer('f'));
    await user.delete(kinds.awsMachine, KEY);
    await controllers.ensure(kinds.awsMachine, machine());

    expect(await controllers.mutate(kinds.awsMachine, former, withoutFinalizer('f'))).toBeUndefined();
    await controllers.delete(kinds.awsMachine, former);

    expect((await user.get(kinds.awsMachine, KEY))?.metadata).toMatchObject({ finalizers: ['f'] });
  });

  it('lose their records with their deletion, so that a new object of the same name has none', async () => {
    await controllers.ensure(kinds.awsMachine, machine());
    await recordLaunch();
    await user.delete(kinds.awsMachine, KEY);
    await controllers.mutate(kinds.awsMachine, KEY, withoutFinalizer('f'));

    await controllers.ensure(kinds.awsMachine, machine());

    expect(await remembered()).toBeUndefined();
  });
});
