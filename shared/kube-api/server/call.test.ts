import { expect, it } from 'vitest';
import type { ResourceDefinition } from '../resource.ts';
import { type Call, namespaceOption } from './call.ts';

it.each([
  [true, 'team', { namespace: 'team' }],
  [true, '', {}],
  // Without a namespace, the storage reads all namespaces.
  [false, '', { namespace: '' }],
])('reads a list of a resource that is in namespaces (%s), in "%s", from %j', (namespaced, namespace, expected) => {
  const resource = { namespaced } as ResourceDefinition;
  expect(namespaceOption({ resource, namespace } as Call)).toEqual(expected);
});
