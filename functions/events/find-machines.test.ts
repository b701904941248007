import { beforeEach, describe, expect, it } from 'vitest';
import { TransientError } from '../../shared/errors.ts';
import { kinds } from '../../shared/kinds/index.ts';
import { readNotice } from '../../shared/plan/instance-events/notice.ts';
import { makeAccount, NAMESPACE, spotEvent, stateEvent, type TestAccount } from './test-account.ts';

/** It sorts before the namespace of the owner. */
const OTHER = 'another';

let account: TestAccount;
beforeEach(async () => {
  account = await makeAccount();
  await account.addCluster(OTHER);
  await account.addMachine('w', { namespace: OTHER });
  await account.addMachine('w');
});

const noticeOf = async (namespace: string, name = 'w') => {
  const machine = await account.objects.get(kinds.machine, { namespace, name });
  return machine && readNotice(machine)?.reason;
};

const setProviderId = (namespace: string, name: string, providerID: string | undefined) =>
  account.objects.mutate(kinds.machine, { namespace, name }, (machine) => ({
    ...machine,
    spec: { ...machine.spec, providerID },
  }));

/** The objects of the account, but those of the other namespace cannot be read. */
const partly = (error: Error) => ({
  ...account.objects,
  get: (async (kind, key) => {
    if (key.namespace === OTHER) throw error;
    return account.objects.get(kind, key);
  }) as TestAccount['objects']['get'],
});

describe('an event about an instance that machines in two namespaces name', () => {
  it.each(['no provider id', 'another provider id', 'the provider id of the instance'])(
    'reaches both if the other one has %s',
    async (which) => {
      const own = (await account.machine('w'))?.spec.providerID;
      const given = { 'no provider id': undefined, 'another provider id': 'aws:///a/i-x' };
      await setProviderId(OTHER, 'w', which in given ? given[which as keyof typeof given] : own);

      expect(await account.handle(spotEvent('i-w'))).toEqual({ instances: 1, known: 1, changed: 1 });

      expect([await noticeOf(OTHER), await noticeOf(NAMESPACE)]).toEqual(['SpotInterruption', 'SpotInterruption']);
      expect(account.touched).toEqual(['red', 'red']);
    },
  );

  it('does not reach a copy of a machine in the same cluster', async () => {
    await account.addMachine('copy');
    const own = (await account.machine('w'))?.spec.providerID;
    await setProviderId(NAMESPACE, 'copy', own);
    await account.objects.mutate(kinds.awsMachine, { namespace: NAMESPACE, name: 'copy' }, (current) => ({
      ...current,
      spec: { ...current.spec, instanceID: 'i-w' },
    }));
    const [original, copy] = [await account.machine('w'), await account.machine('copy')];
    const isOlder = (original?.metadata.uid ?? '') < (copy?.metadata.uid ?? '');

    await account.handle(spotEvent('i-w'));

    // Both were created at the same moment, so the uid decides.
    expect(await noticeOf(NAMESPACE, isOlder ? 'w' : 'copy')).toBe('SpotInterruption');
    expect(await noticeOf(NAMESPACE, isOlder ? 'copy' : 'w')).toBeUndefined();
  });

  it.each([new TransientError('no answer'), new SyntaxError('Unexpected token')])(
    'reaches one if the other one cannot be read, and is delivered again (%s)',
    async (error) => {
      await expect(account.handle(spotEvent('i-w'), { objects: partly(error) })).rejects.toThrow(error.message);

      expect(await noticeOf(NAMESPACE)).toBe('SpotInterruption');
    },
  );

  it('reaches one if the other one cannot be written, and is delivered again', async () => {
    const objects: TestAccount['objects'] = {
      ...account.objects,
      mutate: async (kind, key, ...rest) => {
        const { namespace } = 'metadata' in key ? key.metadata : key;
        if (namespace === OTHER) throw new TransientError('no answer');
        return account.objects.mutate(kind, key, ...rest);
      },
    };
    await expect(account.handle(stateEvent('i-w', 'terminated'), { objects })).rejects.toThrow('no answer');

    expect((await account.infrastructure('w'))?.status?.instanceState).toBe('terminated');
  });
});
