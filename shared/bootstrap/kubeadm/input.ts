import type { ClusterCertificates } from '../certificates/authority.ts';
import type { ChangeReports } from '../change-reports/reports.ts';
import type { MachineToken } from './init-configuration.ts';
import type { BootstrapFile, BootstrapUser, ClusterFacts, KubeadmConfigSpec } from './spec.ts';

interface BaseInput {
  cluster: ClusterFacts;
  spec: KubeadmConfigSpec;
  /** `spec.files` with every `contentFrom` replaced by `content`; default `spec.files`. See resolveReferences. */
  files?: readonly BootstrapFile[];
  /** `spec.users` with every `passwdFrom` replaced by `passwd`; default `spec.users`. */
  users?: readonly BootstrapUser[];
  /** The Kubernetes version that is to be installed first, because the image has none. */
  install?: string;
}

interface ServerInput extends BaseInput {
  certificates: ClusterCertificates;
  /** Set if the API server reports changes. */
  reports?: ChangeReports;
}

/** The first control plane machine. `tokens`: those of all other initial machines. */
export interface InitInput extends ServerInput {
  role: 'init';
  tokens: readonly MachineToken[];
}

/** A further control plane machine. `token`: its own. */
export interface ControlPlaneInput extends ServerInput {
  role: 'control-plane';
  token: string;
}

/** A worker. It gets no key material, only its token and the hash of the CA. */
export interface WorkerInput extends BaseInput {
  role: 'worker';
  caCertificatePem: string;
  token: string;
  /** It joins when its Auto Scaling group puts it in service, not when it boots. */
  joinsInService?: boolean;
}

export type BootstrapInput = InitInput | ControlPlaneInput | WorkerInput;
