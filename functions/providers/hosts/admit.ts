import { kinds } from '../../../shared/kinds/index.ts';
import type { WriteAttempt } from '../../../shared/kube-api/server/user.ts';
import { forbidden } from '../../../shared/kube-api/status-error.ts';

const WHY =
  'this installation does not serve clusters on hosts; deploy it with -c hosts=true, or refer to an AWSCluster instead';

/**
 * Refuses new HostClusters if no workflow would serve them. The provider's other kinds do no harm without a workflow,
 * and may be created first.
 */
export const makeAdmitHosts =
  (isServed: boolean) =>
  () =>
  async (_user: unknown, { resource, object, old }: WriteAttempt): Promise<void> => {
    const { group, plural } = kinds.hostCluster;
    if (isServed || old || resource.group !== group || resource.plural !== plural) return;
    throw forbidden(resource, object.metadata.name ?? '', WHY);
  };
