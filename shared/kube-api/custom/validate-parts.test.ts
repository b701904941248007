import { expect, it } from 'vitest';
import { validateColumn, validateSubresources } from './validate-parts.ts';

const UNREADABLE = '.spec.a[?(b==1)]';

it('a column may have an unreadable path', () => {
  expect(validateColumn({ name: 'A', type: 'string', jsonPath: UNREADABLE }, 'column')).toEqual([]);
});

it('a scale subresource must not have an unreadable path', () => {
  const scale = { specReplicasPath: UNREADABLE, statusReplicasPath: '.status.replicas' };
  const [error] = validateSubresources({ name: 'v1', served: true, storage: true, subresources: { scale } }, 'version');
  expect(error).toMatchObject({ field: 'version.scale.specReplicasPath', type: 'FieldValueInvalid' });
});
