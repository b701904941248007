import type { KubeObject } from '../kube-api/object.ts';
import type { KubeadmConfigStatus, KubeadmControlPlaneSpec, KubeadmControlPlaneStatus } from './index.ts';

/** The fields of a control plane that the steps of a pass use, for any distribution (contract of Cluster API). */
export interface ControlPlane extends KubeObject {
  spec: Pick<KubeadmControlPlaneSpec, 'version' | 'replicas' | 'machineTemplate'>;
  status?: ControlPlaneStatus;
}

/** The part of a control plane's status that all distributions read and write in the same way. */
export type ControlPlaneStatus = Pick<
  NonNullable<KubeadmControlPlaneStatus>,
  | 'conditions'
  | 'initialization'
  | 'observedGeneration'
  | 'version'
  | 'replicas'
  | 'readyReplicas'
  | 'availableReplicas'
  | 'upToDateReplicas'
> & {
  /** For an external provider: the control plane is a service, such as that of EKS, and may have no Machines. */
  externalManagedControlPlane?: true;
};

/** A machine's bootstrap configuration. Its spec depends on the distribution. */
export interface BootstrapConfig extends KubeObject {
  spec?: object;
  status?: Pick<
    NonNullable<KubeadmConfigStatus>,
    'conditions' | 'initialization' | 'dataSecretName' | 'observedGeneration'
  >;
}

/** The template from which the bootstrap configurations of workers are cloned. */
export interface BootstrapConfigTemplate extends KubeObject {
  spec?: { template?: { spec?: object } };
}
