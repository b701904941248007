import type { KindTexts } from '../../kube-api/schema/field-texts.ts';
import type { TextsOf } from '../../kube-api/schema/with-descriptions.ts';
import { awsClusterTexts } from '../aws-cluster/texts.ts';
import { awsClusterControllerIdentityTexts } from '../aws-cluster-controller-identity/texts.ts';
import { awsClusterRoleIdentityTexts } from '../aws-cluster-role-identity/texts.ts';
import { awsClusterStaticIdentityTexts } from '../aws-cluster-static-identity/texts.ts';
import { awsClusterTemplateTexts } from '../aws-cluster-template/texts.ts';
import { awsMachineTexts } from '../aws-machine/texts.ts';
import { awsMachinePoolTexts } from '../aws-machine-pool/texts.ts';
import { awsMachineTemplateTexts } from '../aws-machine-template/texts.ts';
import { clusterTexts } from '../cluster/texts.ts';
import { clusterClassTexts } from '../cluster-class/texts.ts';
import { clusterResourceSetTexts } from '../cluster-resource-set/texts.ts';
import { clusterResourceSetBindingTexts } from '../cluster-resource-set-binding/texts.ts';
import { clusterRoleTexts } from '../cluster-role/texts.ts';
import { clusterRoleBindingTexts } from '../cluster-role-binding/texts.ts';
import { configMapTexts } from '../config-map/texts.ts';
import { eventTexts } from '../event/texts.ts';
import { extensionConfigTexts } from '../extension-config/texts.ts';
import { hostTexts } from '../host/texts.ts';
import { hostClusterTexts } from '../host-cluster/texts.ts';
import { hostMachineTexts } from '../host-machine/texts.ts';
import { hostMachineTemplateTexts } from '../host-machine-template/texts.ts';
import { kubeadmConfigTexts } from '../kubeadm-config/texts.ts';
import { kubeadmConfigTemplateTexts } from '../kubeadm-config-template/texts.ts';
import { kubeadmControlPlaneTexts } from '../kubeadm-control-plane/texts.ts';
import { kubeadmControlPlaneTemplateTexts } from '../kubeadm-control-plane-template/texts.ts';
import { leaseTexts } from '../lease/texts.ts';
import { machineTexts } from '../machine/texts.ts';
import { machineDeploymentTexts } from '../machine-deployment/texts.ts';
import { machineDrainRuleTexts } from '../machine-drain-rule/texts.ts';
import { machineHealthCheckTexts } from '../machine-health-check/texts.ts';
import { machinePoolTexts } from '../machine-pool/texts.ts';
import { machineSetTexts } from '../machine-set/texts.ts';
import { mutatingWebhookConfigurationTexts } from '../mutating-webhook-configuration/texts.ts';
import { namespaceTexts } from '../namespace/texts.ts';
import { providerTexts } from '../provider/texts.ts';
import { rancherClusterTexts } from '../rancher-cluster/texts.ts';
import { rancherKubeconfigTexts } from '../rancher-kubeconfig/texts.ts';
import { resourceQuotaTexts } from '../resource-quota/texts.ts';
import { rke2ConfigTexts } from '../rke2-config/texts.ts';
import { rke2ConfigTemplateTexts } from '../rke2-config-template/texts.ts';
import { rke2ControlPlaneTexts } from '../rke2-control-plane/texts.ts';
import { rke2ControlPlaneTemplateTexts } from '../rke2-control-plane-template/texts.ts';
import { roleTexts } from '../role/texts.ts';
import { roleBindingTexts } from '../role-binding/texts.ts';
import { secretTexts } from '../secret/texts.ts';
import { serviceAccountTexts } from '../service-account/texts.ts';
import { validatingAdmissionPolicyTexts } from '../validating-admission-policy/texts.ts';
import { validatingAdmissionPolicyBindingTexts } from '../validating-admission-policy-binding/texts.ts';
import { validatingWebhookConfigurationTexts } from '../validating-webhook-configuration/texts.ts';

/** The texts of every kind that the management API serves, by the kind's name, with its group where two kinds share the name. */
export const TEXTS: Readonly<Record<string, KindTexts>> = {
  AWSCluster: awsClusterTexts,
  AWSClusterControllerIdentity: awsClusterControllerIdentityTexts,
  AWSClusterRoleIdentity: awsClusterRoleIdentityTexts,
  AWSClusterStaticIdentity: awsClusterStaticIdentityTexts,
  AWSClusterTemplate: awsClusterTemplateTexts,
  AWSMachine: awsMachineTexts,
  AWSMachinePool: awsMachinePoolTexts,
  AWSMachineTemplate: awsMachineTemplateTexts,
  Cluster: clusterTexts,
  'Cluster.clusterprovisioner.rke.io': rancherClusterTexts,
  ClusterClass: clusterClassTexts,
  ClusterResourceSet: clusterResourceSetTexts,
  ClusterResourceSetBinding: clusterResourceSetBindingTexts,
  ClusterRole: clusterRoleTexts,
  ClusterRoleBinding: clusterRoleBindingTexts,
  ConfigMap: configMapTexts,
  Event: eventTexts,
  ExtensionConfig: extensionConfigTexts,
  Host: hostTexts,
  HostCluster: hostClusterTexts,
  HostMachine: hostMachineTexts,
  HostMachineTemplate: hostMachineTemplateTexts,
  KubeadmConfig: kubeadmConfigTexts,
  KubeadmConfigTemplate: kubeadmConfigTemplateTexts,
  KubeadmControlPlane: kubeadmControlPlaneTexts,
  KubeadmControlPlaneTemplate: kubeadmControlPlaneTemplateTexts,
  Kubeconfig: rancherKubeconfigTexts,
  Lease: leaseTexts,
  Machine: machineTexts,
  MachineDeployment: machineDeploymentTexts,
  MachineDrainRule: machineDrainRuleTexts,
  MachineHealthCheck: machineHealthCheckTexts,
  MachinePool: machinePoolTexts,
  MachineSet: machineSetTexts,
  MutatingWebhookConfiguration: mutatingWebhookConfigurationTexts,
  Namespace: namespaceTexts,
  ValidatingAdmissionPolicy: validatingAdmissionPolicyTexts,
  ValidatingAdmissionPolicyBinding: validatingAdmissionPolicyBindingTexts,
  ValidatingWebhookConfiguration: validatingWebhookConfigurationTexts,
  Provider: providerTexts,
  ResourceQuota: resourceQuotaTexts,
  RKE2Config: rke2ConfigTexts,
  RKE2ConfigTemplate: rke2ConfigTemplateTexts,
  RKE2ControlPlane: rke2ControlPlaneTexts,
  RKE2ControlPlaneTemplate: rke2ControlPlaneTemplateTexts,
  Role: roleTexts,
  RoleBinding: roleBindingTexts,
  Secret: secretTexts,
  ServiceAccount: serviceAccountTexts,
};

const own = (key: string): KindTexts | undefined => (Object.hasOwn(TEXTS, key) ? TEXTS[key] : undefined);

export const textsOf: TextsOf = (kind, group) => own(`${kind}.${group}`) ?? own(kind);
