import { expect, it } from 'vitest';
import type { ResourceDefinition } from '../resource.ts';
import { type Call, namespaceOption } from './call.ts';

it.each([
  [true, 'team', { namespace: 'team' }],
  [true, '', {}],
  // Without a namespace, the storage reads all namespaces.
  [false, '', { namespace: '' }],
])('a list of a resource that is in namespaces (%s), in "%s", is read from %j', (namespaced, namespace, expected) => {
  const resource = { namespaced } as ResourceDefinition;
  expect(namespaceOption({ resource, namespace } as Call)).toEqual(expected);
});
