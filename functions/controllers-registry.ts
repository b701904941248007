import { firstStatus } from '../shared/distributions/first-status.ts';
import { KINDS } from '../shared/kinds/index.ts';
import { createRegistry } from '../shared/kube-api/create-registry.ts';
import type { Registry, RegistryOptions } from '../shared/kube-api/registry.ts';
import { makeCheckDelete } from './api/topology/check-delete.ts';

type Given = Pick<RegistryOptions, 'storage' | 'clock' | 'random' | 'ownership'>;

/**
 * What controllers read and write through. They may write what users may not, but delete nothing that is still in use:
 * the sweep deletes what is in a namespace that goes, and what lost its owner.
 */
export const createControllersRegistry = (given: Given): Registry =>
  createRegistry({ ...given, resources: KINDS, firstStatus, checkDelete: makeCheckDelete(given.storage) });
