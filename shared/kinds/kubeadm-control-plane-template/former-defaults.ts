import { isDeepStrictEqual } from 'node:util';
import type { KubeadmConfigSpec } from '../schema/kubeadm-config-spec.ts';
import type { KubeadmControlPlaneTemplateResourceSpec } from './schema.ts';

/** Releases of Cluster API before 1.11 added defaults to templates, which users never had in their files. */

const STRATEGY = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } as const;

const withPullPolicy = <T extends { nodeRegistration?: object }>(configuration: T | undefined) => ({
  ...configuration,
  nodeRegistration: { imagePullPolicy: 'IfNotPresent', ...configuration?.nodeRegistration },
});

type Discovery = NonNullable<KubeadmConfigSpec['joinConfiguration']>['discovery'];

const withExecVersion = (discovery: Discovery): Discovery => {
  const { file } = discovery ?? {};
  const { user } = file?.kubeConfig ?? {};
  if (!file || !user?.exec) return discovery;
  const exec = { apiVersion: 'client.authentication.k8s.io/v1', ...user.exec };
  return { ...discovery, file: { ...file, kubeConfig: { ...file.kubeConfig, user: { ...user, exec } } } };
};

const withConfigDefaults = (spec: KubeadmConfigSpec | undefined): object => {
  const { initConfiguration, joinConfiguration } = spec ?? {};
  const discovery = withExecVersion(joinConfiguration?.discovery);
  return {
    format: 'cloud-config',
    ...spec,
    initConfiguration: withPullPolicy(initConfiguration),
    joinConfiguration: { ...withPullPolicy(joinConfiguration), ...(discovery ? { discovery } : {}) },
  };
};

/** The spec with the former defaults of the kubeadm configuration. */
export const withFormerDefaults = (spec: KubeadmControlPlaneTemplateResourceSpec = {}): object => ({
  ...spec,
  kubeadmConfigSpec: withConfigDefaults(spec.kubeadmConfigSpec),
});

/** `next` with the strategy of `old` if it is the former default and `next` has none. */
export const keepingStrategy = (
  next: KubeadmControlPlaneTemplateResourceSpec = {},
  old: KubeadmControlPlaneTemplateResourceSpec = {},
): KubeadmControlPlaneTemplateResourceSpec => {
  const strategy = old.rollout?.strategy;
  if (next.rollout?.strategy || !isDeepStrictEqual(strategy, STRATEGY)) return next;
  return { ...next, rollout: { ...next.rollout, strategy } };
};
