/**
 * What the objects of an infrastructure provider are to the core: the fields of Cluster API's contract, whoever provides
 * them. What a provider keeps beside them is its own business.
 */
import type { KubeObject } from '../kube-api/object.ts';
import type { LegacyCondition } from './schema/meta.ts';

interface FailureDomain {
  controlPlane?: boolean;
  attributes?: Record<string, string>;
}

/** Where the machines of a cluster live, and how its API server is reached. */
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

/** Instances that the infrastructure keeps as one group. */
export interface InfrastructurePool extends KubeObject {
  spec?: { providerIDList?: string[] };
  status?: {
    ready?: boolean;
    /** Instances that the group has now. */
    replicas?: number;
    /** The kind of the objects, in the pool's group, that stand for its instances; each of them gets a Machine. */
    infrastructureMachineKind?: string;
    conditions?: LegacyCondition[];
  };
}

/** What infrastructure machines are cloned from. */
export interface InfrastructureMachineTemplate extends KubeObject {
  spec: {
    template: { metadata?: { labels?: Record<string, string>; annotations?: Record<string, string> }; spec: object };
  };
  status?: {
    /** Resources of a machine, as Kubernetes quantities; an autoscaler scales from zero by them. */
    capacity?: Record<string, string | number>;
    nodeInfo?: { architecture?: string; operatingSystem?: string };
  };
}
