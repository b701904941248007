import type { KubeObject } from '../../shared/kube-api/object.ts';
import type { TestLaptop } from './laptop.ts';

export const ADDONS = '/apis/addons.cluster.x-k8s.io/v1beta2/namespaces/default/clusterresourcesets';
const LABEL = { 'add-ons': 'some' };

/**
 * The quickstart whose workers leave their provider ids to another controller, and which is selected by the add-ons
 * below.
 */
export const withExternalCloud = (object: KubeObject): KubeObject => {
  if (object.kind === 'Cluster') return { ...object, metadata: { ...object.metadata, labels: LABEL } };
  if (object.kind !== 'KubeadmConfigTemplate') return object;
  const nodeRegistration = {
    name: '{{ ds.meta_data.local_hostname }}',
    kubeletExtraArgs: [{ name: 'cloud-provider', value: 'external' }],
  };
  return { ...object, spec: { template: { spec: { joinConfiguration: { nodeRegistration } } } } } as KubeObject;
};

/** A ConfigMap with one manifest, and the set that applies it to the cluster of `withExternalCloud`. */
export const applyAddons = async (laptop: TestLaptop): Promise<void> => {
  const manifest =
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: add-on, namespace: kube-public}\ndata: {from: set}\n';
  await laptop.api.send('POST', '/api/v1/namespaces/default/configmaps', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'add-ons' },
    data: { 'add-on.yaml': manifest },
  });
  await laptop.api.send('POST', ADDONS, {
    apiVersion: 'addons.cluster.x-k8s.io/v1beta2',
    kind: 'ClusterResourceSet',
    metadata: { name: 'add-ons' },
    spec: { clusterSelector: { matchLabels: LABEL }, resources: [{ kind: 'ConfigMap', name: 'add-ons' }] },
  });
};
