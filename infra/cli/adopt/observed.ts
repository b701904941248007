import type { CertificatePurpose } from '../../../shared/bootstrap/certificates/secrets.ts';
import type { SubnetSpec } from '../../../shared/kinds/index.ts';

/** EC2's data about an instance of the cluster. */
export interface ObservedInstance {
  id: string;
  zone: string;
  type: string;
  imageId: string;
  keyName?: string;
  /** The name of its instance profile. */
  profile?: string;
  tags: Readonly<Record<string, string>>;
}

/** The workload cluster's data about a node. */
export interface ObservedNode {
  name: string;
  providerID: string;
  /** The version of its kubelet. */
  version: string;
  annotations: Readonly<Record<string, string>>;
}

/** A load balancer of the cluster's API. */
export interface ObservedBalancer {
  type: 'nlb' | 'classic';
  name: string;
  scheme: 'internal' | 'internet-facing';
  host: string;
  /** The address of the API. */
  port: number;
  /** The protocol of its health checks; unknown if it has lost its targets. */
  healthCheckProtocol?: string;
  subnets: readonly string[];
}

export interface Endpoint {
  host: string;
  port: number;
}

/** The data that kubeadm has stored about the cluster's creation. */
export interface StoredCluster {
  endpoint?: Endpoint;
  podSubnet?: string;
  serviceSubnet?: string;
  dnsDomain?: string;
}

/** The remains of a lost cluster. */
export interface Observed {
  name: string;
  namespace: string;
  region: string;
  /** The cluster's own VPC has a range; of a user's VPC, only the id is needed. */
  vpc?: { id: string; cidrBlock?: string };
  /** Zones in which the cluster has its own subnets. */
  zones: readonly string[];
  /** The cluster's own subnets, or the ids of those in a user's VPC that it uses. */
  subnets: readonly SubnetSpec[];
  /** The load balancers; those that can be reached from the internet come first. */
  balancers: readonly ObservedBalancer[];
  /** The endpoint that kubeadm has stored, or else the one at which the cluster was reached. */
  endpoint?: Endpoint;
  instances: readonly ObservedInstance[];
  /** The reason why the workload cluster was not queried, or did not answer; undefined if `nodes` is its answer. */
  silent?: string;
  nodes: readonly ObservedNode[];
  stored?: StoredCluster;
  /** The given key material, as PEM. */
  pairs: Partial<Record<CertificatePurpose, { certificatePem: string; privateKeyPem: string }>>;
}
