import type { ResourceDefinition } from '../kube-api/resource.ts';
import { awsCluster } from './aws-cluster/definition.ts';
import { awsClusterControllerIdentity } from './aws-cluster-controller-identity/definition.ts';
import { awsClusterRoleIdentity } from './aws-cluster-role-identity/definition.ts';
import { awsClusterStaticIdentity } from './aws-cluster-static-identity/definition.ts';
import { awsClusterTemplate } from './aws-cluster-template/definition.ts';
import { awsMachine } from './aws-machine/definition.ts';
import { awsMachinePool } from './aws-machine-pool/definition.ts';
import { awsMachineTemplate } from './aws-machine-template/definition.ts';
import { cluster } from './cluster/definition.ts';
import { clusterClass } from './cluster-class/definition.ts';
import { clusterResourceSet } from './cluster-resource-set/definition.ts';
import { clusterResourceSetBinding } from './cluster-resource-set-binding/definition.ts';
import { clusterRole } from './cluster-role/definition.ts';
import { clusterRoleBinding } from './cluster-role-binding/definition.ts';
import { configMap } from './config-map/definition.ts';
import { event } from './event/definition.ts';
import { extensionConfig } from './extension-config/definition.ts';
import { host } from './host/definition.ts';
import { hostCluster } from './host-cluster/definition.ts';
import { hostMachine } from './host-machine/definition.ts';
import { hostMachineTemplate } from './host-machine-template/definition.ts';
import { kubeadmConfig } from './kubeadm-config/definition.ts';
import { kubeadmConfigTemplate } from './kubeadm-config-template/definition.ts';
import { kubeadmControlPlane } from './kubeadm-control-plane/definition.ts';
import { kubeadmControlPlaneTemplate } from './kubeadm-control-plane-template/definition.ts';
import { lease } from './lease/definition.ts';
import { machine } from './machine/definition.ts';
import { machineDeployment } from './machine-deployment/definition.ts';
import { machineDrainRule } from './machine-drain-rule/definition.ts';
import { machineHealthCheck } from './machine-health-check/definition.ts';
import { machinePool } from './machine-pool/definition.ts';
import { machineSet } from './machine-set/definition.ts';
import { mutatingWebhookConfiguration } from './mutating-webhook-configuration/definition.ts';
import { namespace } from './namespace/definition.ts';
import { provider } from './provider/definition.ts';
import { rancherCluster } from './rancher-cluster/definition.ts';
import { rancherKubeconfig } from './rancher-kubeconfig/definition.ts';
import { resourceQuota } from './resource-quota/definition.ts';
import { rke2Config } from './rke2-config/definition.ts';
import { rke2ConfigTemplate } from './rke2-config-template/definition.ts';
import { rke2ControlPlane } from './rke2-control-plane/definition.ts';
import { rke2ControlPlaneTemplate } from './rke2-control-plane-template/definition.ts';
import { role } from './role/definition.ts';
import { roleBinding } from './role-binding/definition.ts';
import { secret } from './secret/definition.ts';
import { serviceAccount } from './service-account/definition.ts';
import { validatingAdmissionPolicy } from './validating-admission-policy/definition.ts';
import { validatingAdmissionPolicyBinding } from './validating-admission-policy-binding/definition.ts';
import { validatingWebhookConfiguration } from './validating-webhook-configuration/definition.ts';

/** Every kind that the management API serves, by name. */
export const kinds = {
  cluster,
  kubeadmControlPlane,
  machineDeployment,
  machineSet,
  machine,
  kubeadmConfig,
  kubeadmConfigTemplate,
  awsCluster,
  awsMachine,
  awsMachineTemplate,
  machineHealthCheck,
  machineDrainRule,
  machinePool,
  kubeadmControlPlaneTemplate,
  rke2ControlPlane,
  rke2Config,
  rke2ConfigTemplate,
  rke2ControlPlaneTemplate,
  clusterClass,
  extensionConfig,
  clusterResourceSet,
  clusterResourceSetBinding,
  awsClusterTemplate,
  awsMachinePool,
  awsClusterControllerIdentity,
  awsClusterRoleIdentity,
  awsClusterStaticIdentity,
  hostCluster,
  hostMachine,
  hostMachineTemplate,
  host,
  provider,
  secret,
  configMap,
  namespace,
  resourceQuota,
  serviceAccount,
  event,
  lease,
  role,
  roleBinding,
  clusterRole,
  clusterRoleBinding,
  validatingAdmissionPolicy,
  validatingAdmissionPolicyBinding,
  validatingWebhookConfiguration,
  mutatingWebhookConfiguration,
  // After Cluster API's Cluster, to which the name alone refers.
  rancherCluster,
  rancherKubeconfig,
} as const;

/** The same as a list: the registry of the management API. */
export const KINDS: readonly ResourceDefinition[] = Object.values(kinds as Record<string, ResourceDefinition>);

export type { AWSCluster, AWSClusterStatus } from './aws-cluster/schema.ts';
export type { AWSClusterControllerIdentity } from './aws-cluster-controller-identity/schema.ts';
export type { AWSClusterRoleIdentity } from './aws-cluster-role-identity/schema.ts';
export type { AWSClusterStaticIdentity } from './aws-cluster-static-identity/schema.ts';
export type { AWSMachine } from './aws-machine/schema.ts';
export type { AWSMachinePool } from './aws-machine-pool/schema.ts';
export type { AWSMachineTemplate } from './aws-machine-template/schema.ts';
export type { Cluster } from './cluster/schema.ts';
export type { ClusterResourceSet } from './cluster-resource-set/schema.ts';
export type { ClusterResourceSetBinding } from './cluster-resource-set-binding/schema.ts';
export type { ClusterRole } from './cluster-role/schema.ts';
export type { ClusterRoleBinding } from './cluster-role-binding/schema.ts';
export type { ConfigMap } from './config-map/schema.ts';
export type { Event } from './event/schema.ts';
export type { ExtensionConfig, ExtensionHandler } from './extension-config/schema.ts';
export type { Host } from './host/schema.ts';
export type { HostCluster } from './host-cluster/schema.ts';
export type { HostMachine } from './host-machine/schema.ts';
export type { HostMachineTemplate } from './host-machine-template/schema.ts';
export type { KubeadmConfig, KubeadmConfigStatus } from './kubeadm-config/schema.ts';

export type {
  KubeadmControlPlane,
  KubeadmControlPlaneSpec,
  KubeadmControlPlaneStatus,
} from './kubeadm-control-plane/schema.ts';
export type { Machine } from './machine/schema.ts';
export type { MachineDeployment } from './machine-deployment/schema.ts';
export type { MachineDrainRule } from './machine-drain-rule/schema.ts';
export type { MachineHealthCheck } from './machine-health-check/schema.ts';
export type { MachinePool } from './machine-pool/schema.ts';
export type { MachineSet } from './machine-set/schema.ts';

export type { Namespace } from './namespace/schema.ts';
export type { RancherCluster, RancherCondition } from './rancher-cluster/schema.ts';
export type { RancherKubeconfig } from './rancher-kubeconfig/schema.ts';
export type { ResourceQuota } from './resource-quota/schema.ts';

export type { RKE2ControlPlane } from './rke2-control-plane/schema.ts';
export type { Role } from './role/schema.ts';
export type { RoleBinding } from './role-binding/schema.ts';

export type { LoadBalancerSpec, LoadBalancerStatus } from './schema/aws-load-balancer.ts';
export type {
  NetworkSpec,
  SubnetSpec,
} from './schema/aws-network.ts';

export type { KubeadmConfigSpec } from './schema/kubeadm-config-spec.ts';

export type { LegacyCondition } from './schema/meta.ts';
export type { PolicyRule, RoleRef, Subject } from './schema/rbac.ts';
export type {
  Rke2AgentConfig,
  Rke2Component,
  Rke2ConfigSpec,
  Rke2Reference,
  Rke2Registries,
} from './schema/rke2-config-spec.ts';
export type { Rke2ServerConfig } from './schema/rke2-server-config.ts';
export type { Secret } from './secret/schema.ts';
