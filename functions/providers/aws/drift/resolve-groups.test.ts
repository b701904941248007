import { expect, it } from 'vitest';
import type { AWSMachine, Machine } from '../../../../shared/kinds/index.ts';
import type { PlacedMachine } from '../../../../shared/providers/aws/plan/drift/difference.ts';
import { makeGroupResolver } from './resolve-groups.ts';

const selected = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ filters: [{ name: 'group-name', values: [`g-${index}`] }] }));

const known = (count: number) =>
  ({
    machine: { kind: 'Machine', metadata: { name: 'm-1', namespace: 'default' } } as Machine,
    infrastructure: { spec: { additionalSecurityGroups: selected(count) } } as AWSMachine,
  }) as PlacedMachine;

/** A resolver, and what it has looked up. */
const observed = () => {
  const looked: string[] = [];
  const securityGroups = async (filters: { values: readonly string[] }[]) => {
    const ids = filters.flatMap(({ values }) => values.map((value) => `sg-${value}`));
    looked.push(...ids);
    return ids;
  };
  const resolve = makeGroupResolver({
    objects: { get: async () => undefined, list: async () => [], ensure: async () => ({ created: true }) },
    clock: { now: () => new Date(0) },
    repairs: () => ({ securityGroups }),
    scopeOf: async () => ({}),
  } as unknown as Parameters<typeof makeGroupResolver>[0]);
  return { resolve, looked };
};

it('finds the groups that a machine selects', async () => {
  const { resolve, looked } = observed();
  const { infrastructure } = await resolve(known(2));
  expect(infrastructure.spec.additionalSecurityGroups).toEqual([{ id: 'sg-g-0' }, { id: 'sg-g-1' }]);
  expect(looked).toEqual(['sg-g-0', 'sg-g-1']);
});

it('makes no calls for a list of groups that is longer than allowed', async () => {
  const { resolve, looked } = observed();
  const machine = known(17);
  expect(await resolve(machine)).toBe(machine);
  expect(looked).toEqual([]);
});
