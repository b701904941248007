import { type Host, type HostCluster, kinds } from '../../../shared/kinds/index.ts';
import { withoutFinalizer } from '../../../shared/kube-api/registry/finalizers.ts';
import { withLegacyCondition } from '../../../shared/plan/status/legacy-conditions.ts';
import { isOrphan, isReleasedByHand, withoutClaim, zoneOf } from '../../../shared/providers/hosts/claims.ts';
import { HOSTS_FINALIZER } from '../../../shared/providers/hosts/names.ts';
import type { ConvergeInput, DoneResult, ReadyResult } from '../../../shared/work/payloads.ts';
import type { HostsDependencies } from './dependencies.ts';
import { keyOf, readHostCluster } from './read.ts';
import { recorder } from './reasons.ts';

type FailureDomains = NonNullable<HostCluster['status']>['failureDomains'];

const zonesOf = (hosts: readonly Host[]): FailureDomains => {
  const zones = hosts.flatMap((host) => zoneOf(host) ?? []);
  return Object.fromEntries([...new Set(zones)].sort().map((zone) => [zone, { controlPlane: true }]));
};

/**
 * Frees the hosts that an administrator has released manually and whose machine no longer exists: nothing else would
 * free them. Machines are read only if there may be such a host.
 */
const freeOrphans = async (deps: HostsDependencies, namespace: string, hosts: readonly Host[]): Promise<void> => {
  const released = hosts.filter((host) => isReleasedByHand(host, host.status?.claim?.uid ?? ''));
  if (released.length === 0) return;
  const machines = await deps.objects.list(kinds.hostMachine, namespace);
  for (const host of released.filter((one) => isOrphan({ machines }, one))) {
    const { machine = '', uid = '' } = host.status?.claim ?? {};
    await deps.objects.mutate(kinds.host, keyOf(host), (current) => withoutClaim(current, uid));
    await recorder(deps).warning(host, 'HostReleasedByHand', `Released by hand from HostMachine ${machine}`);
  }
};

/** The user provides the endpoint; the step only reports whether it is set. */
export const endpoint =
  (deps: HostsDependencies) =>
  async (input: ConvergeInput): Promise<ReadyResult> => {
    const found = await readHostCluster(deps.objects, input);
    if (!found || found.metadata.deletionTimestamp) return { ready: false };
    const ready = Boolean(found.spec.controlPlaneEndpoint?.host);
    const message = 'spec.controlPlaneEndpoint.host: set the address at which the API server is to be reached';
    const claim = ready
      ? ({ type: 'EndpointReady', status: 'True' } as const)
      : ({ type: 'EndpointReady', status: 'False', severity: 'Error', reason: 'EndpointMissing', message } as const);
    const hosts = await deps.objects.list(kinds.host, input.cluster.namespace);
    await freeOrphans(deps, input.cluster.namespace, hosts);
    const failureDomains = zonesOf(hosts);
    await deps.objects.mutate(kinds.hostCluster, keyOf(found), (current) =>
      withLegacyCondition(
        { ...current, status: { ...current.status, ready, failureDomains } },
        claim,
        deps.clock.now(),
      ),
    );
    return { ready };
  };

/** Nothing was created for the cluster, so there is nothing to delete. */
export const removeFoundation =
  (deps: HostsDependencies) =>
  async (input: ConvergeInput): Promise<DoneResult> => {
    const found = await readHostCluster(deps.objects, input);
    if (!found?.metadata.deletionTimestamp) return { done: found === undefined };
    await deps.objects.mutate(kinds.hostCluster, found, withoutFinalizer(HOSTS_FINALIZER.cluster));
    return { done: true };
  };
