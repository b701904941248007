import { describe, expect, it } from 'vitest';
import type { Tags } from '../../tags.ts';
import { claimedVolumes, describeVolumes, type FoundVolume, isOlderThan, unclaimedVolumes } from './volumes.ts';

const CLUSTER = { namespace: 'default', name: 'red' };
const DRIVERS = { CSIVolumeName: 'pvc-1', 'kubernetes.io/cluster/red': 'owned' };
const CLAIM = { 'windlass.dev/cluster': 'default/red' };

const volume = (tags: Tags, id = 'vol-1'): FoundVolume => ({ id, sizeGib: 8, tags });

describe('a volume', () => {
  it.each<{ reason: string; tags: Tags; is: 'claimed' | 'unclaimed' | 'neither' }>([
    { reason: 'its driver created it', tags: DRIVERS, is: 'unclaimed' },
    { reason: 'the cluster has also claimed it', tags: { ...DRIVERS, ...CLAIM }, is: 'claimed' },
    { reason: 'the driver did not create it', tags: { 'kubernetes.io/cluster/red': 'owned' }, is: 'neither' },
    { reason: 'the driver did not create it, although it is claimed', tags: CLAIM, is: 'neither' },
    { reason: 'the driver only shares it', tags: { ...DRIVERS, 'kubernetes.io/cluster/red': 'shared' }, is: 'neither' },
    {
      reason: 'a cluster of this name in another namespace has claimed it',
      tags: { ...DRIVERS, 'windlass.dev/cluster': 'b/red' },
      is: 'neither',
    },
    {
      reason: 'it has the tag of another cluster, too',
      tags: { ...DRIVERS, ...CLAIM, 'kubernetes.io/cluster/blue': 'owned' },
      is: 'neither',
    },
  ])('is $is: $reason', ({ tags, is }) => {
    const found = [volume(tags)];
    const isClaimed = claimedVolumes(CLUSTER, found).length > 0;
    const isUnclaimed = unclaimedVolumes(CLUSTER, found).length > 0;
    expect({ isClaimed, isUnclaimed }).toEqual({ isClaimed: is === 'claimed', isUnclaimed: is === 'unclaimed' });
  });

  it.each<[string, string | undefined, boolean]>([
    ['older than', '2026-01-01T00:00:00Z', true],
    ['as old as', '2026-01-02T00:00:00Z', false],
    ['younger than', '2026-01-03T00:00:00Z', false],
    ['of unknown age beside', undefined, true],
  ])('that is %s the cluster may belong to another: %s', (_, created, isOlder) => {
    const cluster = { metadata: { name: 'red', creationTimestamp: '2026-01-02T00:00:00Z' } };
    const createdAt = created === undefined ? undefined : new Date(created);
    expect(isOlderThan(cluster, { ...volume(DRIVERS), createdAt })).toBe(isOlder);
  });
});

it('an event names twenty volumes, and counts the others', () => {
  const many = (count: number) => Array.from({ length: count }, (_, at) => volume(DRIVERS, `vol-${at}`));
  expect(describeVolumes(many(1))).toBe('vol-0 (pvc-1, 8 GiB)');
  expect(describeVolumes(many(20))).toMatch(/, vol-19 \(pvc-1, 8 GiB\)$/);
  expect(describeVolumes(many(22))).toMatch(/vol-19 \(pvc-1, 8 GiB\), 2 more$/);
});
