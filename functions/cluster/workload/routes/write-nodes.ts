import type { V1Node } from '@kubernetes/client-node';
import { describeError } from '../../../../shared/decode/describe-error.ts';
import { networkCondition } from '../../../../shared/plan/routes/node-condition.ts';
import type { FailedRoute } from '../../../../shared/plan/routes/wanted.ts';
import { WorkloadUnreachableError } from '../../../../shared/workload/client.ts';
import type { RoutePort } from '../../../providers/ports.ts';
import type { OnDuty } from '../duties/duty.ts';
import { recordInCluster } from '../duties/record-in-cluster.ts';
import { ROUTE_REASONS } from './reasons.ts';

type Writer = Pick<OnDuty<RoutePort>, 'client' | 'deps'>;

/** The name under which Kubernetes' own controller reports. */
const COMPONENT = 'route_controller';

const reason = 'FailedToCreateRoute';

const tell = async ({ client, deps }: Writer, { metadata }: V1Node, { name, block, message }: FailedRoute) => {
  const regarding = { apiVersion: 'v1', kind: 'Node', metadata: { name, uid: metadata?.uid ?? '' } };
  const text = `Could not create route ${block} for node ${name}: ${message}`;
  const { type } = ROUTE_REASONS[reason];
  const recorder = { client, clock: deps.clock, log: deps.log };
  await recordInCluster(recorder, { regarding, type, reason, message: text, component: COMPONENT });
};

/**
 * Records on a node whether there are routes to its pods: with a condition, and an event for each route that failed.
 * Returns the reason if this fails, because it must not stop other nodes. Throws WorkloadUnreachableError.
 */
export const writeNode = async (
  writer: Writer,
  node: V1Node,
  failed: readonly FailedRoute[],
): Promise<FailedRoute | undefined> => {
  const { client, deps } = writer;
  const name = node.metadata?.name ?? '';
  try {
    const condition = networkCondition(node, failed.length === 0);
    if (condition) await client.setNodeCondition(name, condition, deps.clock.now());
    for (const one of failed) await tell(writer, node, one);
    return undefined;
  } catch (error) {
    if (error instanceof WorkloadUnreachableError) throw error;
    const { reason: why } = describeError(error);
    deps.log.info('the result of a route could not be written to its node', { reason: why });
    return { name, block: '', message: `its status could not be written: ${why}`, retry: 'soon' };
  }
};
