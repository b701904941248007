import type { Rke2ConfigSpec, Rke2ServerConfig } from '../../kinds/index.ts';
import type { PemPair } from '../certificates/keys.ts';
import type { ClusterFacts } from '../kubeadm/spec.ts';
import type { BootFile } from '../machine-setup.ts';
import type { ResolvedReferences } from './references.ts';

/** The authorities that RKE2 would otherwise create itself. */
export interface Rke2Certificates {
  /** Signs the certificates of servers. */
  serverCa: PemPair;
  /** Signs the certificates of clients. */
  clientCa: PemPair;
  etcdServerCa: PemPair;
  etcdPeerCa: PemPair;
}

interface BaseInput {
  cluster: ClusterFacts;
  spec: Rke2ConfigSpec;
  /** `spec.files` with every `contentFrom` replaced by `content`. */
  files: readonly BootFile[];
  /** The contents of the Secrets and ConfigMaps to which the configuration refers. */
  resolved: ResolvedReferences;
}

interface ServerFields extends BaseInput {
  server: Rke2ServerConfig;
  /** Files for RKE2's own manifests folder, by file name. */
  manifests: Readonly<Record<string, string>>;
  /** The token with which machines join as servers. */
  token: string;
  /** The token with which workers join; absent if they join with the servers' token. */
  agentToken?: string;
}

/** The first server. It gets the keys of the authorities, and the other servers get them from it. */
export interface Rke2InitInput extends ServerFields {
  role: 'init';
  certificates: Rke2Certificates;
}

/** A further server. */
export interface Rke2ServerInput extends ServerFields {
  role: 'control-plane';
  /** `https://host:9345`. */
  registrationUrl: string;
}

/** A worker. It gets no key material, only its token with the hash of the CA. */
export interface Rke2WorkerInput extends BaseInput {
  role: 'worker';
  registrationUrl: string;
  token: string;
  /** From the control plane: workers use the same cloud provider. */
  cloudProviderName: string | undefined;
}

export type Rke2Input = Rke2InitInput | Rke2ServerInput | Rke2WorkerInput;
