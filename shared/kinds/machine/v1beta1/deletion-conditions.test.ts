import { describe, expect, it } from 'vitest';
import { conversionsOf } from '../../v1beta1/test-conversion.ts';
import { machine } from '../definition.ts';

const { toOld, toStored } = conversionsOf(machine);

const at = (second: number): string => `2026-01-01T00:00:${String(second).padStart(2, '0')}Z`;

const stored = (reason: string, message: string, deletion: object, timeout?: number): string =>
  JSON.stringify({
    spec: {
      clusterName: 'red',
      bootstrap: { dataSecretName: 'a' },
      infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachine', name: 'a' },
      ...(timeout ? { deletion: { nodeDrainTimeoutSeconds: timeout } } : {}),
    },
    status: {
      deletion,
      conditions: [{ type: 'Deleting', status: 'True', reason, message, lastTransitionTime: at(0) }],
    },
  });

const told = (...given: Parameters<typeof stored>): string[] => {
  const { conditions = [] } = toOld(stored(...given)).status as unknown as {
    conditions?: { type: string; status: string; severity?: string; reason?: string }[];
  };
  return conditions.map(({ type, status, severity, reason }) =>
    [type, status, severity, reason].filter(Boolean).join(' '),
  );
};

const drain = { nodeDrainStartTime: at(1) };
const detach = { ...drain, waitForNodeVolumeDetachStartTime: at(31) };
const LAST = 'PreTerminateDeleteHookSucceeded True';

describe('the deletion of a machine in v1beta1', () => {
  it.each([
    [told('Deleting', '', {}), []],
    [
      told('WaitingForPreDrainHook', 'hooks', { waitForPreDrainHookStartTime: at(1) }),
      ['PreDrainDeleteHookSucceeded False Info WaitingExternalHook'],
    ],
    [told('DrainingNode', 'm', drain), ['PreDrainDeleteHookSucceeded True', 'DrainingSucceeded False Info Draining']],
    [
      told('DrainingNode', 'Error draining Node: no', drain),
      ['PreDrainDeleteHookSucceeded True', 'DrainingSucceeded False Warning DrainingFailed'],
    ],
    [
      told('WaitingForVolumeDetach', 'm', detach),
      [
        'PreDrainDeleteHookSucceeded True',
        'DrainingSucceeded True',
        'VolumeDetachSucceeded False Info WaitingForVolumeDetach',
      ],
    ],
    [
      told('WaitingForInfrastructureDeletion', 'm', detach),
      ['PreDrainDeleteHookSucceeded True', 'DrainingSucceeded True', 'VolumeDetachSucceeded True', LAST],
    ],
    [
      told('WaitingForInfrastructureDeletion', 'm', detach, 30),
      ['PreDrainDeleteHookSucceeded True', 'DrainingSucceeded False Info Draining', 'VolumeDetachSucceeded True', LAST],
    ],
    [told('WaitingForInfrastructureDeletion', 'm', {}), [LAST]],
  ])('is reported in conditions of v1beta1: %j', (found, expected) => {
    expect(found).toEqual(expected);
  });

  it('adds nothing to the stored status', () => {
    const given = stored('DrainingNode', 'm', drain);
    const back = toStored(JSON.stringify(toOld(given)));
    expect(back.status).toEqual((JSON.parse(given) as { status: object }).status);
  });
});
