import { describe, expect, it } from 'vitest';
import type { AWSMachine, Machine } from '../../../../kinds/index.ts';
import { type CapacityRefusal, candidates, leastRecentlyRefused, nextCandidate, recent } from './candidates.ts';

const places = ['a', 'b'].map((zone) => ({ id: `subnet-${zone}`, zone, hasIpv6: false }));
const worker = { metadata: { name: 'w' }, spec: {} } as Machine;
const master = {
  metadata: { name: 'm', labels: { 'cluster.x-k8s.io/control-plane': '' } },
  spec: {},
} as never as Machine;
const infrastructure = {
  metadata: { name: 'w', annotations: { 'windlass.dev/instance-types': 'm6i.large, m5.large,m6i.large' } },
  spec: { instanceType: 'm5.large' },
} as never as AWSMachine;

const names = (all: ReturnType<typeof candidates>) =>
  all.map(({ instanceType, place }) => `${instanceType} ${place.zone}`);
const refusal = (over: Partial<CapacityRefusal> = {}): CapacityRefusal => ({
  instanceType: 'm5.large',
  zone: 'a',
  subnetId: 'subnet-a',
  isSpot: false,
  code: 'InsufficientInstanceCapacity',
  at: '2026-01-01T00:00:00.000Z',
  ...over,
});
const next = (...refusals: CapacityRefusal[]) => {
  const found = nextCandidate(candidates(worker, infrastructure, places), infrastructure, refusals);
  return found && `${found.instanceType} ${found.place.zone}`;
};

describe('candidates', () => {
  it('keep the type of a worker and the zone of a control plane machine as long as possible', () => {
    expect(names(candidates(worker, infrastructure, places))).toEqual([
      'm5.large a',
      'm5.large b',
      'm6i.large a',
      'm6i.large b',
    ]);
    expect(names(candidates(master, infrastructure, places))).toEqual([
      'm5.large a',
      'm6i.large a',
      'm5.large b',
      'm6i.large b',
    ]);
  });

  it.each([
    { reason: 'the type in the zone', refusals: [refusal()], wanted: 'm5.large b' },
    {
      reason: 'all types in the subnet',
      refusals: [refusal({ code: 'InsufficientFreeAddressesInSubnet' })],
      wanted: 'm5.large b',
    },
    {
      reason: 'the type in all zones if the account may have no more of it',
      refusals: [refusal({ code: 'MaxSpotInstanceCountExceeded' })],
      wanted: 'm6i.large a',
    },
    { reason: 'nothing of the other market', refusals: [refusal({ isSpot: true })], wanted: 'm5.large a' },
    {
      reason: 'all of them, one after the other',
      refusals: ['m5.large', 'm6i.large'].flatMap((instanceType) =>
        ['a', 'b'].map((zone) => refusal({ instanceType, zone })),
      ),
      wanted: undefined,
    },
  ])('lose after a refusal: $reason', ({ refusals, wanted }) => {
    expect(next(...refusals)).toBe(wanted);
  });

  it('are tried again after three minutes, or the least recently refused one if nothing is left', () => {
    const now = new Date('2026-01-01T00:03:00Z');
    const later = refusal({ zone: 'b', subnetId: 'subnet-b', at: '2026-01-01T00:01:00.000Z' });
    expect(recent([refusal(), later], now)).toEqual([later]);
    const only = { ...infrastructure, metadata: { name: 'w' } };
    expect(leastRecentlyRefused(candidates(worker, only, places), only, [later, refusal()])?.place.zone).toBe('a');
  });
});
