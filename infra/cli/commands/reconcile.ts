import { systemClock } from '../../../shared/clock.ts';
import { ANNOTATION, GROUP } from '../../../shared/plan/labels.ts';
import { ApiError } from '../api/client.ts';
import { type ContextOptions, openContext } from '../api/kubeconfig-client.ts';
import { namedPath } from '../api/resources.ts';

/** Requests a pass over a cluster immediately, whatever it is waiting for. */
export const reconcile = async (name: string, options: ContextOptions): Promise<number> => {
  const { api, namespace } = openContext(options);
  const patch = { metadata: { annotations: { [ANNOTATION.reconcileRequestedAt]: systemClock.now().toISOString() } } };
  const path = namedPath(`/apis/${GROUP.core}/v1beta2`, 'clusters', { namespace, name });
  try {
    await api.send('PATCH', path, patch, 'application/merge-patch+json');
  } catch (error) {
    if (error instanceof ApiError && error.status.code === 404)
      throw new Error(`there is no Cluster ${name} in namespace ${namespace}`);
    throw error;
  }
  process.stdout.write(
    `Requested a reconciliation of Cluster ${name}. To follow it: windlass describe cluster ${name} --watch\n`,
  );
  return 0;
};
