import type { Clock } from '../../../../shared/clock.ts';
import { describeError } from '../../../../shared/decode/describe-error.ts';
import type { Log } from '../../../../shared/log.ts';
import type { FailedService } from '../../../../shared/plan/services/condition.ts';
import { CLEANUP_FINALIZER, type Service, serviceKey } from '../../../../shared/plan/services/service.ts';
import { mapConcurrently } from '../../../../shared/store/concurrency.ts';
import { type WorkloadClient, WorkloadUnreachableError } from '../../../../shared/workload/client.ts';
import type { BalancerResult } from '../../../providers/ports.ts';
import type { ServiceReason } from './reasons.ts';
import { recordServiceEvent } from './record-event.ts';

/** The number of Services that are written concurrently. */
const AT_ONCE = 5;

export interface Writer {
  client: WorkloadClient;
  clock: Clock;
  log: Log;
}

type Tell = (reason: ServiceReason, message: string) => Promise<void>;

const isSame = (a: readonly string[], b: readonly string[]): boolean => a.join() === b.join();

const applyReady = async (
  { client }: Writer,
  service: Service,
  { hosts, targets, isChanged, hasNewTargets }: Extract<BalancerResult, { outcome: 'ready' }>,
  tell: Tell,
): Promise<void> => {
  const isNew = !isSame(hosts, service.ingress);
  if (isNew) await client.services.setHosts(service, hosts);
  if (isNew || isChanged) {
    await tell('EnsuringLoadBalancer', 'Ensuring load balancer');
    await tell('EnsuredLoadBalancer', 'Ensured load balancer');
  } else if (hasNewTargets && targets > 0) {
    await tell('UpdatedLoadBalancer', 'Updated load balancer with new hosts');
  }
  if (targets === 0 && (isNew || isChanged || hasNewTargets)) {
    await tell('UnAvailableLoadBalancer', 'There are no available nodes for LoadBalancer');
  }
};

/** The finalizer is removed last: until then it shows that the Service had a load balancer. */
const applyRemoved = async ({ client }: Writer, service: Service, tell: Tell): Promise<void> => {
  const isStale = !service.isDeleted && service.ingress.length > 0;
  const current = isStale ? await client.services.setHosts(service, []) : service;
  if (!current) return;
  await tell('DeletedLoadBalancer', 'Deleted load balancer');
  const finalizers = current.finalizers.filter((one) => one !== CLEANUP_FINALIZER);
  await client.services.setFinalizers(current, finalizers);
};

const apply = async (writer: Writer, service: Service, result: BalancerResult): Promise<FailedService | undefined> => {
  const tell: Tell = (reason, message) => recordServiceEvent(writer, service, reason, message);
  if (result.outcome === 'ready') await applyReady(writer, service, result, tell);
  if (result.outcome === 'removed') await applyRemoved(writer, service, tell);
  if (result.outcome !== 'failed') return undefined;
  await tell('SyncLoadBalancerFailed', `Error syncing load balancer: ${result.message}`);
  return { key: serviceKey(service), message: result.message, retry: result.retry };
};

/** If the workload cluster refuses a write of one Service, the others are still written. */
const applyOrFail = async (
  writer: Writer,
  service: Service,
  result: BalancerResult,
): Promise<FailedService | undefined> => {
  try {
    return await apply(writer, service, result);
  } catch (error) {
    if (error instanceof WorkloadUnreachableError) throw error;
    const { reason } = describeError(error);
    writer.log.info('the result of a load balancer could not be written to its Service', { reason });
    return { key: serviceKey(service), message: `it could not be written: ${reason}`, retry: 'soon' };
  }
};

/**
 * Writes the results for load balancers to their Services: addresses, finalizers and events. Returns the failed ones.
 * Throws WorkloadUnreachableError.
 */
export const applyResults = async (
  writer: Writer,
  services: readonly Service[],
  results: ReadonlyMap<string, BalancerResult>,
): Promise<FailedService[]> => {
  const applied = await mapConcurrently(services, AT_ONCE, async (service) => {
    const result = results.get(service.uid);
    return result ? applyOrFail(writer, service, result) : undefined;
  });
  return applied.flatMap((failed) => failed ?? []);
};
