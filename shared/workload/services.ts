import type { ListedService, Service } from '../plan/services/service.ts';

/** The Services of a workload cluster. */
export interface ServicesApi {
  /** The Services of all namespaces. Those that cannot be read are left out if they have nothing to do with load balancers. */
  list(): Promise<ListedService[]>;
  /**
   * Returns the updated Service. Throws ConflictError if it has changed since it was read, and otherwise
   * WorkloadRefusedError.
   */
  setFinalizers(service: Service, finalizers: readonly string[]): Promise<Service>;
  /**
   * Writes `status.loadBalancer.ingress`, and returns the updated Service; undefined if it no longer exists. Throws
   * WorkloadRefusedError.
   */
  setHosts(service: Service, hosts: readonly string[]): Promise<Service | undefined>;
}
