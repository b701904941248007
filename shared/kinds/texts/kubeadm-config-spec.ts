import type { FieldTexts } from '../../kube-api/schema/field-texts.ts';
import { clusterConfigurationFields, clusterConfigurationText } from './kubeadm-cluster.ts';
import { machineConfigFields } from './kubeadm-machine.ts';
import {
  initConfigurationFields,
  initConfigurationText,
  joinConfigurationFields,
  joinConfigurationText,
} from './kubeadm-node.ts';

/** Texts of a KubeadmConfigSpec, in KubeadmConfigs, control planes and templates. */
export const kubeadmConfigSpecFields = {
  clusterConfiguration: [clusterConfigurationText, clusterConfigurationFields],
  initConfiguration: [initConfigurationText, initConfigurationFields],
  joinConfiguration: [joinConfigurationText, joinConfigurationFields],
  ...machineConfigFields,
} satisfies FieldTexts;
