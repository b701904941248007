import { beforeEach, describe, expect, it } from 'vitest';
import { kinds, type MachinePool, type MachineSet } from '../../shared/kinds/index.ts';
import { readNotice } from '../../shared/plan/instance-events/notice.ts';
import { AT_RISK } from '../../shared/plan/instance-events/response.ts';
import { controllerReference } from '../../shared/plan/machines/desired.ts';
import { findCondition } from '../../shared/plan/status/conditions.ts';
import { healthEvent, makeAccount, NAMESPACE, spotEvent, type TestAccount } from './test-account.ts';

let account: TestAccount;
beforeEach(async () => {
  account = await makeAccount();
  const { object: set } = await account.objects.ensure(kinds.machineSet, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineSet',
    metadata: { namespace: NAMESPACE, name: 'ms' },
    spec: {
      clusterName: 'red',
      selector: { matchLabels: { set: 'ms' } },
      template: {
        metadata: { labels: { set: 'ms' } },
        spec: {
          clusterName: 'red',
          bootstrap: { dataSecretName: 'd' },
          infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachineTemplate', name: 't' },
        },
      },
    },
  } as MachineSet);
  await account.addMachine('0a', { owner: controllerReference(set) });
  await account.addMachine('0b');
});

const atRisk = async (name: string) => findCondition((await account.machine(name))?.status?.conditions, AT_RISK);

describe('a notice of EC2', () => {
  it('is recorded on the machine with the action that follows, and reported once', async () => {
    for (let time = 0; time < 2; time += 1) await account.handle(spotEvent('i-0a'));

    const machine = await account.machine('0a');
    expect(machine && readNotice(machine)).toMatchObject({ reason: 'SpotInterruption' });
    const message =
      'EC2 is reclaiming the spot instance (terminate) at 2026-11-20T12:02:00.000Z; MachineSet ms replaces the Machine';
    expect(await atRisk('0a')).toMatchObject({ status: 'True', reason: 'SpotInterruption', message });
    expect(await account.events()).toEqual([{ reason: 'SpotInterruption', message, count: 1 }]);
    expect(account.touched).toEqual(['red']);
  });

  it('affects all instances that it names, and is only reported for a machine without an owner that would replace it', async () => {
    const result = await account.handle(healthEvent(['i-0a', 'i-0b', 'i-0c']));

    expect(result).toEqual({ instances: 3, known: 2, changed: 2 });
    expect((await atRisk('0a'))?.message).toContain('MachineSet ms replaces the Machine');
    expect((await atRisk('0b'))?.message).toContain('only reported, because the Machine has no owner');
  });

  it('about a reclaimed instance, and no other, lets a MachinePool replace the machine', async () => {
    const { object: pool } = await account.objects.ensure(kinds.machinePool, {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'MachinePool',
      metadata: { namespace: NAMESPACE, name: 'p' },
      spec: {
        clusterName: 'red',
        template: {
          spec: {
            clusterName: 'red',
            bootstrap: { dataSecretName: 'd' },
            infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachinePool', name: 'p' },
          },
        },
      },
    } as MachinePool);
    await account.addMachine('0d', { owner: controllerReference(pool) });
    await account.handle(healthEvent(['i-0d']));
    expect((await atRisk('0d'))?.message).toContain('only reported, because the Machine has no owner');
    await account.handle(spotEvent('i-0d'));
    expect((await atRisk('0d'))?.message).toContain('MachinePool p replaces the Machine');
  });

  it('is withdrawn when the maintenance is cancelled', async () => {
    await account.handle(healthEvent(['i-0a']));
    await account.handle(healthEvent(['i-0a'], { statusCode: 'closed' }));

    const machine = await account.machine('0a');
    expect(machine && readNotice(machine)).toBeUndefined();
    expect(await atRisk('0a')).toMatchObject({ status: 'False', reason: 'NoticeWithdrawn' });
  });

  const LATER = { lastUpdatedTime: 'Sun, 22 Nov 2026 12:00:00 GMT' };
  const given = healthEvent(['i-0a'], { lastUpdatedTime: 'Fri, 20 Nov 2026 12:00:00 GMT' });
  const closed = healthEvent(['i-0a'], { statusCode: 'closed', ...LATER });

  it.each<[string, unknown[]]>([
    ['before it', [closed, given]],
    ['before it, and twice', [closed, given, closed, given]],
    ['after it, and it comes again', [given, closed, given]],
  ])('does not apply if the withdrawal arrives %s', async (_, events) => {
    for (const event of events) await account.handle(event);
    const machine = await account.machine('0a');
    expect(machine && readNotice(machine)).toBeUndefined();
    expect((await atRisk('0a'))?.status).not.toBe('True');
  });

  it('requests no pass if its withdrawal arrives first', async () => {
    for (const event of [closed, closed, given]) await account.handle(event);
    expect(account.touched).toEqual([]);
    expect(await account.events()).toEqual([]);
  });

  it('applies if it is newer than a withdrawal, whichever arrives first', async () => {
    const again = healthEvent(['i-0a'], { lastUpdatedTime: 'Mon, 23 Nov 2026 12:00:00 GMT' });
    for (const event of [closed, again]) await account.handle(event);
    expect(await atRisk('0a')).toMatchObject({ status: 'True', reason: 'ScheduledMaintenance' });
    await account.handle(closed);
    expect(await atRisk('0a')).toMatchObject({ status: 'True', reason: 'ScheduledMaintenance' });
  });
});
