import { describe, expect, it } from 'vitest';
import type { DrainNode } from './facts.ts';
import { nextLook, PARKED } from './pace.ts';
import { claimsOfSkipped, type VolumeFacts, volumesLeft, volumesMessage } from './volumes.ts';

const node: DrainNode = { name: 'n', unschedulable: true, unreachable: false, volumes: [] };
const csi = { driver: 'ebs.csi.aws.com', volumeHandle: 'vol-1' };
const reported = 'kubernetes.io/csi/ebs.csi.aws.com^vol-1';

const left = (facts: Partial<VolumeFacts>) =>
  volumesLeft({ node, attached: [], volumes: [], ignoredClaims: new Set(), ...facts });

describe('the volumes that a node still has', () => {
  it.each([
    { what: 'are not reported if there are none', facts: {}, lines: [] },
    {
      what: 'do not include those of other nodes',
      facts: { attached: [{ name: 'va', node: 'other', volume: 'pv' }] },
      lines: [],
    },
    {
      what: 'are reported by their claims',
      facts: {
        node: { ...node, volumes: [reported] },
        attached: [{ name: 'va', node: 'n', volume: 'pv-2' }],
        volumes: [
          { name: 'pv-1', csi, claim: 'default/one' },
          { name: 'pv-2', claim: 'default/two' },
          { name: 'pv-3', claim: 'default/three' },
        ],
      },
      lines: ['* PersistentVolumeClaims: default/one, default/two'],
    },
    {
      what: 'do not include those of pods that stay',
      facts: {
        node: { ...node, volumes: [reported] },
        volumes: [{ name: 'pv-1', csi, claim: 'default/one' }],
        ignoredClaims: new Set(['default/one']),
      },
      lines: [],
    },
    {
      what: 'are reported by other names if there is no claim or no volume',
      facts: {
        node: { ...node, volumes: ['kubernetes.io/csi/x^y'] },
        attached: ['pv-1', 'lost'].map((volume) => ({ name: volume, node: 'n', volume })),
        volumes: [{ name: 'pv-1', csi }],
      },
      lines: [
        '* PersistentVolumes without a .spec.claimRef to a PersistentVolumeClaim: pv-1',
        '* Node with .status.volumesAttached entries not matching a PersistentVolume: kubernetes.io/csi/x^y',
        '* VolumeAttachment with .spec.source.persistentVolumeName not matching a PersistentVolume: lost',
      ],
    },
  ] as { what: string; facts: Partial<VolumeFacts>; lines: string[] }[])('$what', ({ facts, lines }) => {
    const found = left(facts);
    expect(found ? volumesMessage(found, 'T').split('\n').slice(1) : []).toEqual(lines);
  });

  it('are found by claim for pods that stay', () => {
    const pod = {
      metadata: { namespace: 'default', name: 'a' },
      spec: { volumes: [{}, { persistentVolumeClaim: { claimName: 'one' } }] },
    };
    expect([...claimsOfSkipped([{ pod, behavior: 'Skip', order: 0 }])]).toEqual(['default/one']);
    expect(claimsOfSkipped([{ pod, behavior: 'Drain', order: 0 }]).size).toBe(0);
  });
});

describe('the wait between checks of volumes', () => {
  const since = '2026-01-01T00:00:00Z';
  const at = (seconds: number, timeout?: number) =>
    nextLook(since, timeout, new Date(Date.parse(since) + seconds * 1000));

  it('is short at first, then 20 seconds, then left to the passes of the cluster', () => {
    expect([0, 60, 600, 1800].map((seconds) => at(seconds).waitSeconds)).toEqual([1, 5, 20, 20]);
    expect(at(1801)).toEqual(PARKED);
  });

  it('ends exactly at the timeout, however long the timeout is', () => {
    expect(at(55, 60).waitSeconds).toBe(5);
    expect(at(59.5, 60).waitSeconds).toBe(1);
    expect(at(7000, 7010).waitSeconds).toBe(10);
    expect(at(2000, 7010)).toEqual(PARKED);
    expect(at(0, 0).waitSeconds).toBe(1);
  });
});
