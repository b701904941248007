import type { WriteEvent } from '../../shared/kube-api/registry/registry.ts';
import type { Log } from '../../shared/log.ts';
import { memoryOf } from '../../shared/providers/memory.ts';
import type { Records } from '../../shared/store/records/records.ts';

/**
 * Ends the record of an object that a user's write has removed. Never rejects: the object is gone, and the sweep finds
 * what remains.
 */
export const makeForgetRemoved =
  ({ records, log }: { records: Pick<Records, 'read' | 'end'>; log: Log }) =>
  async ({ type, resource, object }: WriteEvent): Promise<void> => {
    if (type !== 'deleted' || !memoryOf(resource)) return;
    const { uid = '', name, namespace = '' } = object.metadata;
    const owner = { namespace, uid };
    try {
      const [record] = await records.read([owner]);
      await records.end(owner, record?.version ?? 0);
    } catch (error) {
      log.error('A record is left to the sweep', { kind: resource.kind, namespace, name, error: String(error) });
    }
  };
