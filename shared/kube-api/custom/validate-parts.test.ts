import { expect, it } from 'vitest';
import { validateColumn, validateSubresources } from './validate-parts.ts';

const UNREADABLE = '.spec.a[?(b==1)]';

it('a column may have a path that cannot be read', () => {
  expect(validateColumn({ name: 'A', type: 'string', jsonPath: UNREADABLE }, 'column')).toEqual([]);
});

it('the path of a scale may not', () => {
  const scale = { specReplicasPath: UNREADABLE, statusReplicasPath: '.status.replicas' };
  const [error] = validateSubresources({ name: 'v1', served: true, storage: true, subresources: { scale } }, 'version');
  expect(error).toMatchObject({ field: 'version.scale.specReplicasPath', type: 'FieldValueInvalid' });
});
