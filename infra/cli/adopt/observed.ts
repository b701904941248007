import type { CertificatePurpose } from '../../../shared/bootstrap/certificates/secrets.ts';

/** What EC2 says of an instance of the cluster. */
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

/** What the workload cluster says of a node. */
export interface ObservedNode {
  name: string;
  providerID: string;
  /** Of its kubelet. */
  version: string;
  annotations: Readonly<Record<string, string>>;
}

/** What kubeadm has stored of how it made the cluster. */
export interface StoredCluster {
  podSubnet?: string;
  serviceSubnet?: string;
  dnsDomain?: string;
}

/** Everything of a lost cluster that is still there. */
export interface Observed {
  name: string;
  namespace: string;
  region: string;
  vpc?: { id: string; cidrBlock: string };
  /** Zones in which the cluster has subnets. */
  zones: readonly string[];
  endpoint?: { host: string; port: number };
  balancer?: { type: 'nlb' | 'classic'; scheme: 'internal' | 'internet-facing' };
  instances: readonly ObservedInstance[];
  /** Why the workload cluster was not asked, or did not answer; undefined where `nodes` are what it said. */
  silent?: string;
  nodes: readonly ObservedNode[];
  stored?: StoredCluster;
  /** The key material that was given, as PEM. */
  pairs: Partial<Record<CertificatePurpose, { certificatePem: string; privateKeyPem: string }>>;
}
