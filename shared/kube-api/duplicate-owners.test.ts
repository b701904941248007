import { expect, it } from 'vitest';
import { withoutDuplicateOwners } from './duplicate-owners.ts';
import { gizmo } from './test-kinds.ts';

const owner = (uid: string, name = 'owner') => ({ apiVersion: 'v1', kind: 'ConfigMap', name, uid });
const owned = (...ownerReferences: ReturnType<typeof owner>[]) => gizmo('one', {}, { ownerReferences });

it('withoutDuplicateOwners keeps each owner once, and warns about the duplicates', () => {
  const twice = owned(owner('b'), owner('a'), owner('b'), owner('a', 'other'), owner('a'));
  const { object, warnings } = withoutDuplicateOwners(twice);
  expect(object.metadata.ownerReferences).toEqual([owner('b'), owner('a'), owner('a', 'other')]);
  expect(warnings).toEqual([expect.stringMatching(/^\.metadata\.ownerReferences .*observed: b, a$/)]);
  expect(withoutDuplicateOwners(twice, true).warnings[0]).toContain('after mutating admission happens');
});

it('withoutDuplicateOwners does not change an object with distinct owners', () => {
  const one = owned(owner('a'), owner('b'));
  expect(withoutDuplicateOwners(one)).toEqual({ object: one, warnings: [] });
});

it('withoutDuplicateOwners finds a duplicate among many owners', () => {
  const many = Array.from({ length: 50_000 }, (_, index) => owner(`u-${index}`));
  const { object } = withoutDuplicateOwners(owned(...many, owner('u-0')));
  expect(object.metadata.ownerReferences).toHaveLength(many.length);
});
