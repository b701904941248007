/** For tests. */
import type { ObjectClient } from '../../shared/kube-api/storage/client.ts';
import type { FindOwners } from './find-owners.ts';

/** Works without an index: every infrastructure cluster may own what a change names. */
export const allOwners =
  (objects: Pick<ObjectClient, 'list'>): FindOwners =>
  async (kind) =>
    (await objects.list(kind)).map(({ metadata: { namespace = '', name } }) => ({ namespace, name }));
