import { clusterConfiguration } from './cluster-configuration.ts';
import { toYaml } from './document.ts';
import { initConfiguration, type MachineToken } from './init-configuration.ts';
import { type JoinInput, joinConfiguration } from './join-configuration.ts';
import type { ClusterFacts, KubeadmConfigSpec } from './spec.ts';

/** The file for `kubeadm init`: ClusterConfiguration and InitConfiguration as two YAML documents. */
export const renderInit = (cluster: ClusterFacts, spec: KubeadmConfigSpec, tokens: readonly MachineToken[]): string => {
  const init = spec.initConfiguration ?? {};
  const documents = [
    clusterConfiguration(cluster, spec.clusterConfiguration ?? {}, init.timeouts),
    initConfiguration(cluster.version, init, tokens),
  ];
  return documents.map((document) => `---\n${toYaml(document)}`).join('');
};

/** The file for `kubeadm join`. */
export const renderJoin = (input: JoinInput): string => `---\n${toYaml(joinConfiguration(input))}`;
