import { type KubeadmControlPlane, kinds } from '../kinds/index.ts';
import { info, type StateMetrics } from './family.ts';
import { conditions, created, maxSurge, owners, paused, replicas } from './recurring-families.ts';

const NOUN = 'kubeadmcontrolplane';

export const kubeadmControlPlaneMetrics: StateMetrics<KubeadmControlPlane> = {
  resource: kinds.kubeadmControlPlane,
  prefix: 'capi_kubeadmcontrolplane',
  labels: ({ metadata }) => ({
    cluster_name: metadata.ownerReferences?.find(({ kind }) => kind === 'Cluster')?.name,
  }),
  families: [
    paused(NOUN),
    created(NOUN),
    info('info', 'The version of a kubeadmcontrolplane.', ({ spec: { version } }) => ({ version })),
    owners(NOUN),
    maxSurge(NOUN),
    ...conditions<KubeadmControlPlane>(NOUN),
    ...replicas<KubeadmControlPlane>(NOUN),
  ],
};
