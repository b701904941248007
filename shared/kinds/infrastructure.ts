/**
 * The core's view of an infrastructure provider's objects: the fields of Cluster API's contract, for any provider.
 * Other fields are internal to the provider.
 */
import type { KubeObject } from '../kube-api/object.ts';
import type { LegacyCondition } from './schema/meta.ts';

interface FailureDomain {
  controlPlane?: boolean;
  attributes?: Record<string, string>;
}

/** The location of a cluster's machines, and the endpoint of its API server. */
export interface InfrastructureCluster extends KubeObject {
  spec: { controlPlaneEndpoint?: { host?: string; port?: number } };
  status?: {
    ready?: boolean;
    failureDomains?: Record<string, FailureDomain>;
    conditions?: LegacyCondition[];
  };
}

/** The types of addresses of a Machine. */
export type AddressType = 'Hostname' | 'ExternalIP' | 'InternalIP' | 'ExternalDNS' | 'InternalDNS';

/** One instance, host or virtual machine. */
export interface InfrastructureMachine extends KubeObject {
  spec: { providerID?: string };
  status?: {
    ready?: boolean;
    addresses?: { type: AddressType; address: string }[];
    conditions?: LegacyCondition[];
  };
}

/** Instances that the infrastructure manages as one group. */
export interface InfrastructurePool extends KubeObject {
  spec?: { providerIDList?: string[] };
  status?: {
    ready?: boolean;
    /** The current number of instances in the group. */
    replicas?: number;
    /** The kind of the objects, in the pool's group, that represent its instances; each of them gets a Machine. */
    infrastructureMachineKind?: string;
    conditions?: LegacyCondition[];
  };
}

/** The template from which infrastructure machines are cloned. */
export interface InfrastructureMachineTemplate extends KubeObject {
  spec: {
    template: { metadata?: { labels?: Record<string, string>; annotations?: Record<string, string> }; spec: object };
  };
  status?: {
    /** Resources of a machine as Kubernetes quantities, with which an autoscaler scales up from zero. */
    capacity?: Record<string, string | number>;
    nodeInfo?: { architecture?: string; operatingSystem?: string };
  };
}
