import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../kube-api/object.ts';
import { freeNames } from '../names.ts';
import { firstFreePlace, withUsedPlace } from './used-places.ts';

const awsCluster = (): KubeObject => ({ apiVersion: 'v1', kind: 'AWSCluster', metadata: { name: 'demo' } });
const owner = { name: 'workers', uid: '0b1c' };
const set = { metadata: owner };
const machine = (name: string, { uid } = owner): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Machine',
  metadata: {
    name,
    ownerReferences: [{ apiVersion: 'v1', kind: 'MachineSet', name: owner.name, uid, controller: true }],
  },
});
const naming = { template: '{{ .cluster.name }}-{{ .random }}-worker', variables: { cluster: { name: 'demo' } } };

describe('the name positions of deleted machines', () => {
  it.each([undefined, naming])('are not reused over many rollouts (template %o)', (template) => {
    const seen = new Set<string>();
    let memory = awsCluster();
    let living: string[] = [];
    for (let round = 0; round < 50; round += 1) {
      const made = freeNames(owner, new Set(living), 1 + (round % 3), template, firstFreePlace(memory, set));
      expect(made.filter((name) => seen.has(name))).toEqual([]);
      for (const name of made) seen.add(name);
      living = [...living, ...made];
      // Alternates between deleting the newest machine and the two oldest.
      const leaving = round % 2 === 0 ? living.slice(-1) : living.slice(0, 2);
      for (const name of leaving) memory = withUsedPlace(memory, machine(name)) ?? memory;
      living = living.filter((name) => !leaving.includes(name));
    }
    expect(seen.size).toBeGreaterThan(90);
  });

  it('are counted for each owner separately, and dropped for the owners without a deletion for the longest time', () => {
    let memory = awsCluster();
    const owners = Array.from({ length: 300 }, (_, index) => ({ ...owner, uid: `uid-${index}` }));
    for (const one of owners) {
      const [name = ''] = freeNames(one, new Set(), 1);
      memory = withUsedPlace(memory, machine(name, one)) ?? memory;
    }
    expect(owners.map((one) => firstFreePlace(memory, { metadata: one })).lastIndexOf(0)).toBe(43);
  });

  it('do not include machines with a different name, or without an owner', () => {
    expect(withUsedPlace(awsCluster(), machine('some-other'))).toBeUndefined();
    const { metadata, ...rest } = machine(freeNames(owner, new Set(), 1)[0] ?? '');
    expect(withUsedPlace(awsCluster(), { ...rest, metadata: { name: metadata.name } })).toBeUndefined();
    expect(firstFreePlace(null, set)).toBe(0);
  });
});
