import { describe, expect, it } from 'vitest';
import { KINDS } from '../../../../shared/kinds/index.ts';
import { clusterObjects, collectionOf } from './objects.ts';

const durationsOf = (name: string): number[] => {
  const found = clusterObjects('Dev', 'c', { controlPlane: 3, workers: 10 }, 14).find(
    ({ metadata }) => metadata.name === name,
  );
  const text = JSON.stringify(found);
  return [...text.matchAll(/"startupDuration":"(\d+)ms"/g)].map(([, milliseconds]) => Number(milliseconds));
};

describe('the objects of a measured cluster', () => {
  it('belong to served collections', () => {
    const served = KINDS.map(({ group, version, plural }) => `/apis/${group}/${version}/namespaces/default/${plural}`);

    for (const object of clusterObjects('AWS', 'c', { controlPlane: 1, workers: 1 }, 2))
      expect(served).toContain(collectionOf(object));
  });

  it('boot in memory for the requested time: stages one after another, etcd in parallel with the API server', () => {
    expect(durationsOf('c-md-0')).toEqual([12_000, 2_000]);
    expect(durationsOf('c-control-plane')).toEqual([10_000, 2_000, 2_000, 2_000]);
  });
});
