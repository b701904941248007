import type { KindTexts } from '../../kube-api/schema/field-texts.ts';
import type { TextsOf } from '../../kube-api/schema/with-descriptions.ts';
import { clusterTexts } from '../cluster/texts.ts';
import { clusterResourceSetTexts } from '../cluster-resource-set/texts.ts';
import { clusterResourceSetBindingTexts } from '../cluster-resource-set-binding/texts.ts';
import { clusterRoleTexts } from '../cluster-role/texts.ts';
import { clusterRoleBindingTexts } from '../cluster-role-binding/texts.ts';
import { configMapTexts } from '../config-map/texts.ts';
import { eventTexts } from '../event/texts.ts';
import { leaseTexts } from '../lease/texts.ts';
import { machineTexts } from '../machine/texts.ts';
import { machineDeploymentTexts } from '../machine-deployment/texts.ts';
import { machineDrainRuleTexts } from '../machine-drain-rule/texts.ts';
import { machineHealthCheckTexts } from '../machine-health-check/texts.ts';
import { machinePoolTexts } from '../machine-pool/texts.ts';
import { machineSetTexts } from '../machine-set/texts.ts';
import { namespaceTexts } from '../namespace/texts.ts';
import { providerTexts } from '../provider/texts.ts';
import { resourceQuotaTexts } from '../resource-quota/texts.ts';
import { roleTexts } from '../role/texts.ts';
import { roleBindingTexts } from '../role-binding/texts.ts';
import { secretTexts } from '../secret/texts.ts';
import { serviceAccountTexts } from '../service-account/texts.ts';

/** The texts of every kind that the management API serves, by the kind's name. */
export const TEXTS: Readonly<Record<string, KindTexts>> = {
  Cluster: clusterTexts,
  ClusterResourceSet: clusterResourceSetTexts,
  ClusterResourceSetBinding: clusterResourceSetBindingTexts,
  ClusterRole: clusterRoleTexts,
  ClusterRoleBinding: clusterRoleBindingTexts,
  ConfigMap: configMapTexts,
  Event: eventTexts,
  Lease: leaseTexts,
  Machine: machineTexts,
  MachineDeployment: machineDeploymentTexts,
  MachineDrainRule: machineDrainRuleTexts,
  MachineHealthCheck: machineHealthCheckTexts,
  MachinePool: machinePoolTexts,
  MachineSet: machineSetTexts,
  Namespace: namespaceTexts,
  Provider: providerTexts,
  ResourceQuota: resourceQuotaTexts,
  Role: roleTexts,
  RoleBinding: roleBindingTexts,
  Secret: secretTexts,
  ServiceAccount: serviceAccountTexts,
};

export const textsOf: TextsOf = (kind) => (Object.hasOwn(TEXTS, kind) ? TEXTS[kind] : undefined);
