import { withVersionPrefix } from '../rules/bootstrap/version.ts';
import type { KubeadmControlPlane } from './schema.ts';

/** One replica, the `v` of the version, and a rolling update with one additional machine. */
export const defaultKubeadmControlPlane = (controlPlane: KubeadmControlPlane): KubeadmControlPlane => {
  const { spec } = controlPlane;
  const rollingUpdate = { maxSurge: 1, ...spec.rollout?.strategy?.rollingUpdate };
  return {
    ...controlPlane,
    spec: {
      ...spec,
      replicas: spec.replicas ?? 1,
      version: withVersionPrefix(spec.version),
      rollout: { ...spec.rollout, strategy: { type: 'RollingUpdate', rollingUpdate } },
    },
  };
};
