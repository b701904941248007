import * as z from 'zod';
import { duration } from '../v1beta1/schema.ts';
import { anyText, flag, int32, intOrString, list, options, struct } from './fields.ts';
import { rke2Component, rke2ConfigFields, rke2Reference, rke2Texts } from './rke2-config-spec.ts';

const s3 = struct(
  { endpoint: anyText },
  {
    endpointCAsecret: rke2Reference,
    enforceSslVerify: flag,
    s3CredentialSecret: rke2Reference,
    bucket: anyText,
    region: anyText,
    folder: anyText,
  },
);

const etcd = options({
  exposeMetrics: flag,
  backupConfig: options({
    disableAutomaticSnapshots: flag,
    snapshotName: anyText,
    scheduleCron: anyText,
    retention: anyText,
    directory: anyText,
    s3,
  }),
  customConfig: rke2Component,
});

const PLUGINS = [
  ...['rke2-coredns', 'rke2-ingress-nginx', 'rke2-metrics-server', 'rke2-snapshot-controller'],
  ...['rke2-snapshot-controller-crd', 'rke2-snapshot-validation-webhook', 'rke2-traefik', 'rke2-traefik-crd'],
];

/** The settings that the servers of a cluster share. */
export const rke2ServerConfig = options({
  auditPolicySecret: rke2Reference,
  bindAddress: anyText,
  advertiseAddress: anyText,
  tlsSan: rke2Texts,
  serviceNodePortRange: anyText,
  clusterDNS: anyText,
  clusterDomain: anyText,
  disableComponents: options({
    kubernetesComponents: list(z.enum(['scheduler', 'kubeProxy', 'cloudController'])),
    pluginComponents: list(z.enum(PLUGINS)),
  }),
  cni: z.enum(['none', 'calico', 'canal', 'cilium']),
  cniMultusEnable: flag,
  ingressController: list(z.enum(['none', 'traefik', 'ingress-nginx'])),
  pauseImage: anyText,
  etcd,
  secretsEncryption: options({ encryptionKeySecret: rke2Reference, provider: z.enum(['aescbc', 'secretbox']) }),
  kubeAPIServer: rke2Component,
  kubeControllerManager: rke2Component,
  kubeScheduler: rke2Component,
  cloudControllerManager: rke2Component,
  cloudProviderName: anyText,
  cloudProviderConfigMap: rke2Reference,
  supervisorMetrics: flag,
  embeddedRegistry: flag,
  externalDatastoreSecret: rke2Reference,
});

const METHODS = ['internal-first', 'internal-only-ips', 'external-only-ips', 'address', 'control-plane-endpoint', ''];

/** Fields that control planes and their templates have in common, apart from the rollout and the machines. */
export const rke2ControlPlaneFields = {
  ...rke2ConfigFields,
  serverConfig: rke2ServerConfig,
  manifestsConfigMapReference: rke2Reference,
  registrationMethod: z.enum(METHODS),
  registrationAddress: anyText,
  remediationStrategy: options({ maxRetry: int32(), retryPeriod: duration(), minHealthyPeriod: duration() }),
};

export const rke2RolloutStrategy = options({
  type: anyText,
  rollingUpdate: options({ maxSurge: intOrString }),
});

export type Rke2ServerConfig = z.input<typeof rke2ServerConfig>;
