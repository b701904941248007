import { expect, it } from 'vitest';
import type { AWSMachine, Machine } from '../../kinds/index.ts';
import { NOTICE_ANNOTATION } from '../instance-events/notice.ts';
import { isDetachWanted, isDrainWanted } from './stages.ts';

it('a machine with a notice is drained and waits for volumes until EC2 terminates the instance, however long the timeouts are', () => {
  const notice = { reason: 'SpotInterruption', at: '2026-11-20T12:00:00Z', deadline: '2026-11-20T12:02:00Z' };
  const machine = {
    metadata: { name: 'm', annotations: { [NOTICE_ANNOTATION]: JSON.stringify(notice) } },
    spec: { deletion: { nodeDrainTimeoutSeconds: 3600, nodeVolumeDetachTimeoutSeconds: 3600 } },
    status: { deletion: { nodeDrainStartTime: notice.at, waitForNodeVolumeDetachStartTime: notice.at } },
  } as unknown as Machine;
  const infrastructure = { metadata: { name: 'm' } } as AWSMachine;
  const wanted = (time: string) =>
    [isDrainWanted, isDetachWanted].map((isWanted) => isWanted(machine, infrastructure, new Date(time)));

  expect(wanted('2026-11-20T12:01:59Z')).toEqual([true, true]);
  expect(wanted('2026-11-20T12:02:00Z')).toEqual([false, false]);
});
