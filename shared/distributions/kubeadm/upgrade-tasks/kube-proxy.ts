import type { KubeadmControlPlane } from '../../../kinds/index.ts';
import { ANNOTATION } from '../../../plan/labels.ts';
import type { AnyObject } from '../../../workload/client.ts';
import { type UpgradeTask, UpgradeTaskRefusedError } from '../../upgrade-tasks.ts';
import { formatImage, parseImage, tagOf } from './image.ts';
import { imageOf, type PodTemplated, withImage } from './workload.ts';

const NAME = 'kube-proxy';

const DAEMON_SET: AnyObject = {
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: NAME, namespace: 'kube-system' },
};

/** The image of kube-proxy follows the control plane's version. A cluster without kube-proxy needs no change. */
export const kubeProxy: UpgradeTask = {
  objects: [DAEMON_SET],
  plan: (controlPlane, [found]) => {
    const { metadata, spec } = controlPlane as KubeadmControlPlane;
    const isSkipped = ANNOTATION.skipKubeProxy in (metadata.annotations ?? {});
    const is = found && imageOf(found as PodTemplated, NAME);
    if (isSkipped || !found || !is) return [];
    const { repository, name, digest } = parseImage(is);
    if (digest) {
      throw new UpgradeTaskRefusedError(
        `kube-proxy's image ${is} is named by its digest, so Windlass cannot change its version`,
      );
    }
    const wanted = formatImage({
      repository: spec.kubeadmConfigSpec?.clusterConfiguration?.imageRepository || repository,
      name,
      tag: tagOf(spec.version),
    });
    return is === wanted ? [] : [{ replace: withImage(found as PodTemplated, NAME, wanted) }];
  },
};
