import type { Service } from '../plan/services/service.ts';

/** The Services of a created cluster. */
export interface ServicesApi {
  /** Those of all namespaces. */
  list(): Promise<Service[]>;
  /** Returns the Service as it is then. Throws ConflictError if it has changed since it was read, else WorkloadRefusedError. */
  setFinalizers(service: Service, finalizers: readonly string[]): Promise<Service>;
  /**
   * Writes `status.loadBalancer.ingress`, and returns the Service as it is then; undefined if it is gone. Throws
   * WorkloadRefusedError.
   */
  setHosts(service: Service, hosts: readonly string[]): Promise<Service | undefined>;
}
