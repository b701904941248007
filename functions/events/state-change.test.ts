import { beforeEach, describe, expect, it } from 'vitest';
import { kinds } from '../../shared/kinds/index.ts';
import { findCondition } from '../../shared/plan/status/conditions.ts';
import { makeAccount, stateEvent, type TestAccount } from './test-account.ts';

let account: TestAccount;
beforeEach(async () => {
  account = await makeAccount();
  await account.addMachine('w');
});

describe('an event about the state of an instance', () => {
  it('is recorded on the machine immediately, without a call to EC2, if the instance is terminated', async () => {
    expect(await account.handle(stateEvent('i-w', 'shutting-down'))).toEqual({ instances: 1, known: 1, changed: 1 });

    const infrastructure = await account.infrastructure('w');
    const ready = infrastructure?.status?.conditions?.find(({ type }) => type === 'InstanceReady');
    expect(infrastructure?.status).toMatchObject({ instanceState: 'shutting-down', ready: false });
    expect(ready).toMatchObject({ status: 'False', reason: 'InstanceTerminated' });
    const conditions = (await account.machine('w'))?.status?.conditions;
    expect(findCondition(conditions, 'InfrastructureReady')).toMatchObject({
      status: 'False',
      reason: 'InstanceTerminated',
      message: 'the instance is shutting-down',
    });
    expect(account.touched).toEqual(['red']);
    expect(account.asked).toEqual([]);
  });

  it('causes a call to EC2 if the state may have changed again', async () => {
    account.states.set('i-w', 'stopped');
    await account.handle(stateEvent('i-w', 'stopping'));

    const stopped = await account.infrastructure('w');
    expect(stopped?.status?.conditions?.find(({ type }) => type === 'InstanceReady')?.reason).toBe('InstanceStopped');
    expect(account.asked).toEqual(['us-east-1: i-w']);

    account.states.set('i-w', 'running');
    await account.handle(stateEvent('i-w', 'running'));
    expect((await account.infrastructure('w'))?.status).toMatchObject({ instanceState: 'running', ready: true });
    expect((await account.machine('w'))?.metadata.deletionTimestamp).toBeUndefined();
  });

  it('is recorded once, however often and in which order events arrive', async () => {
    for (const state of ['terminated', 'shutting-down', 'terminated']) await account.handle(stateEvent('i-w', state));
    account.states.set('i-w', 'terminated');
    expect(await account.handle(stateEvent('i-w', 'stopping'))).toMatchObject({ known: 1, changed: 0 });

    expect((await account.infrastructure('w'))?.status?.instanceState).toBe('terminated');
    expect(await account.events()).toMatchObject([{ reason: 'InstanceTerminated', count: 1 }]);
    expect(account.touched).toEqual(['red']);
  });

  it('does not let a slow read overwrite the result of a later one', async () => {
    account.states.set('i-w', 'stopping');
    await account.handle(stateEvent('i-w', 'stopping'));
    account.states.set('i-w', 'stopped');
    let isFirst = true;
    const meanwhile = async () => {
      if (!isFirst) return;
      isFirst = false;
      account.states.set('i-w', 'running');
      await account.handle(stateEvent('i-w', 'running'));
    };
    await account.handle(stateEvent('i-w', 'stopped'), { answered: meanwhile });

    expect((await account.infrastructure('w'))?.status).toMatchObject({ instanceState: 'running', ready: true });
    const conditions = (await account.machine('w'))?.status?.conditions;
    expect(findCondition(conditions, 'InfrastructureReady')?.status).toBe('True');
  });

  it('does not let a slow read overwrite a state that has changed and changed back meanwhile', async () => {
    account.states.set('i-w', 'stopped');
    let isFirst = true;
    const meanwhile = async () => {
      if (!isFirst) return;
      isFirst = false;
      for (const state of ['stopped', 'running']) {
        account.clock.advance(1_000);
        account.states.set('i-w', state);
        await account.handle(stateEvent('i-w', state));
      }
    };
    await account.handle(stateEvent('i-w', 'stopping'), { answered: meanwhile });

    expect((await account.infrastructure('w'))?.status).toMatchObject({ instanceState: 'running', ready: true });
  });

  it('is delivered again if the record changes at every attempt', async () => {
    account.states.set('i-w', 'stopped');
    let looks = 0;
    const meanwhile = async () => {
      const other = looks % 2 === 0 ? 'stopping' : 'running';
      looks += 1;
      account.states.set('i-w', other);
      await account.handle(stateEvent('i-w', other));
      account.states.set('i-w', 'stopped');
    };
    const handled = account.handle(stateEvent('i-w', 'stopped'), { answered: meanwhile });
    await expect(handled).rejects.toThrow('changed during each of 5 looks');
    expect(looks).toBe(5);
  });

  it('costs one read of the index if the instance is not managed by Windlass', async () => {
    expect(await account.handle(stateEvent('i-other', 'stopped'))).toEqual({ instances: 1, known: 0, changed: 0 });
    expect([account.asked, account.touched]).toEqual([[], []]);
  });

  it('makes no call if it has the recorded state', async () => {
    expect(await account.handle(stateEvent('i-w', 'running'))).toEqual({ instances: 1, known: 1, changed: 0 });
    expect([account.asked, account.touched]).toEqual([[], []]);
  });

  it('makes no call while an execution for the machine observes the instance', async () => {
    const change = { ...(await account.infrastructure('w'))?.status, instanceState: 'pending' } as const;
    const key = { namespace: 'default', name: 'w' };
    await account.objects.mutate(kinds.awsMachine, key, (current) => ({ ...current, status: change }));
    expect(await account.handle(stateEvent('i-w', 'running'))).toEqual({ instances: 1, known: 1, changed: 0 });
    expect([account.asked, account.touched]).toEqual([[], []]);
  });

  it('is refused if no rule can have sent it', async () => {
    await expect(account.handle({ 'detail-type': 'Scheduled Event', detail: {} })).rejects.toThrow('detail-type');
  });
});
