import type { CertificatePurpose } from '../../../shared/bootstrap/certificates/secrets.ts';

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
  /** Of its kubelet. */
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

/** What kubeadm has stored of how it made the cluster. */
export interface StoredCluster {
  endpoint?: Endpoint;
  podSubnet?: string;
  serviceSubnet?: string;
  dnsDomain?: string;
}

/** Everything of a lost cluster that is still there. */
export interface Observed {
  name: string;
  namespace: string;
  region: string;
  /** Its own has a range; of a user's only the id is used. */
  vpc?: { id: string; cidrBlock?: string };
  /** Zones in which the cluster has subnets of its own. */
  zones: readonly string[];
  /** Those in a user's VPC that the cluster uses. */
  subnets: readonly string[];
  /** Those that the internet reaches first. */
  balancers: readonly ObservedBalancer[];
  /** kubeadm's stored endpoint, or else where the cluster was reached. */
  endpoint?: Endpoint;
  instances: readonly ObservedInstance[];
  /** Why the workload cluster was not queried, or did not answer; undefined if `nodes` is its answer. */
  silent?: string;
  nodes: readonly ObservedNode[];
  stored?: StoredCluster;
  /** The key material that was given, as PEM. */
  pairs: Partial<Record<CertificatePurpose, { certificatePem: string; privateKeyPem: string }>>;
}
