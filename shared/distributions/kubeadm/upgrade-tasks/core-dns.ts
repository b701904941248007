import { withDnsImage } from '../../../bootstrap/kubeadm/stored-configuration.ts';
import type { ControlPlane } from '../../../kinds/contract-objects.ts';
import type { KubeadmControlPlane } from '../../../kinds/index.ts';
import { SKIP_CORE_DNS, versionOfTag, whyNotMigrated } from '../../../kinds/rules/bootstrap/core-dns.ts';
import { compareReleases } from '../../../kinds/rules/bootstrap/version.ts';
import type { AnyObject } from '../../../workload/client.ts';
import { type UpgradeTask, UpgradeTaskRefusedError } from '../../upgrade-tasks.ts';
import { formatImage, type Image, parseImage } from './image.ts';
import { changeConfiguration, KUBEADM_CONFIG } from './kubeadm-config.ts';
import { imageOf, type PodTemplated, withImage } from './workload.ts';

const NAME = 'coredns';

const metadata = { name: NAME, namespace: 'kube-system' };
const DEPLOYMENT: AnyObject = { apiVersion: 'apps/v1', kind: 'Deployment', metadata };
const CONFIG: AnyObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata };

/** Registries in which CoreDNS moved to a folder of its own with 1.8.0. */
const MOVED = ['k8s.gcr.io', 'registry.k8s.io'];

type ClusterConfiguration = NonNullable<
  NonNullable<KubeadmControlPlane['spec']['kubeadmConfigSpec']>['clusterConfiguration']
>;

const configurationOf = (controlPlane: ControlPlane): ClusterConfiguration | undefined =>
  (controlPlane as KubeadmControlPlane).spec.kubeadmConfigSpec?.clusterConfiguration;

const versionOf = (tag: string): string => {
  const version = versionOfTag(tag);
  if (!version) throw new UpgradeTaskRefusedError(`the tag "${tag}" of CoreDNS's image names no version`);
  return version;
};

/** The desired image: the control plane's settings, the rest unchanged. */
const wantedImage = (is: Image, { dns, imageRepository }: ClusterConfiguration): string => {
  const repository = (dns?.imageRepository || imageRepository || is.repository).replace(/\/$/, '');
  const tag = dns?.imageTag || is.tag;
  const isMoved = MOVED.includes(repository) && compareReleases(versionOf(tag), '1.8.0') >= 0;
  return formatImage({ repository, name: isMoved && is.name === NAME ? `${NAME}/${NAME}` : is.name, tag });
};

/**
 * CoreDNS gets the control plane's image settings, and is left unchanged if there are none. Upstream does the same
 * (workload_cluster_coredns.go), but it also rewrites the Corefile, which the supported versions do not require.
 */
export const coreDns: UpgradeTask = {
  objects: [CONFIG, DEPLOYMENT, KUBEADM_CONFIG],
  plan: (controlPlane, [config, deployment, kubeadmConfig]) => {
    const isSkipped = SKIP_CORE_DNS in (controlPlane.metadata.annotations ?? {});
    const configuration = configurationOf(controlPlane);
    if (isSkipped || !configuration || !config || !deployment) return [];
    const is = imageOf(deployment as PodTemplated, NAME);
    if (!is)
      throw new UpgradeTaskRefusedError(`Deployment kube-system/${NAME} has no container "${NAME}" with an image`);
    const image = parseImage(is);
    const wanted = wantedImage(image, configuration);
    if (is === wanted) return [];
    const problem = whyNotMigrated(versionOf(image.tag), versionOf(parseImage(wanted).tag));
    if (problem) throw new UpgradeTaskRefusedError(problem);
    return [
      ...changeConfiguration(kubeadmConfig, (text) => withDnsImage(text, configuration.dns ?? {})),
      { replace: withImage(deployment as PodTemplated, NAME, wanted) },
    ];
  },
};
