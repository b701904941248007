import * as z from 'zod';
import { anyText, flag, int64, list, mapOf, options, struct, textMap } from './fields.ts';

/** core/v1 ObjectReference, with which the RKE2 provider refers to Secrets and ConfigMaps. */
export const rke2Reference = options({
  apiVersion: anyText,
  fieldPath: anyText,
  kind: anyText,
  name: anyText,
  namespace: anyText,
  resourceVersion: anyText,
  uid: anyText,
}).meta({ 'x-kubernetes-map-type': 'atomic' });

export const rke2Texts = list(anyText);

/** The settings of a component that RKE2 runs. */
export const rke2Component = options({
  extraEnv: textMap,
  extraArgs: rke2Texts,
  extraMounts: textMap,
  overrideImage: anyText,
});

const fileKey = struct({ name: anyText, key: anyText }, { namespace: anyText });

const file = struct(
  { path: anyText },
  {
    owner: anyText,
    permissions: anyText,
    encoding: z.enum(['base64', 'gzip', 'gzip+base64']),
    content: anyText,
    contentFrom: options({ secret: fileKey, configMap: fileKey }),
  },
);

const agentConfig = options({
  dataDir: anyText,
  nodeLabels: rke2Texts,
  nodeAnnotations: textMap,
  nodeTaints: rke2Texts,
  nodeName: anyText,
  ntp: options({ servers: rke2Texts, enabled: flag }),
  imageCredentialProviderConfigMap: rke2Reference,
  containerRuntimeEndpoint: anyText,
  snapshotter: anyText,
  cisProfile: z.enum(['cis', 'cis-1.23', 'cis-1.5', 'cis-1.6']),
  podSecurityAdmissionConfigFile: anyText,
  resolvConf: rke2Reference,
  protectKernelDefaults: flag,
  systemDefaultRegistry: anyText,
  enableContainerdSElinux: flag,
  kubeletPath: anyText,
  kubelet: rke2Component,
  kubeProxy: rke2Component,
  runtimeImage: anyText,
  loadBalancerPort: int64(),
  airGapped: flag,
  airGappedChecksum: anyText,
  format: z.enum(['cloud-config', 'ignition']),
  additionalUserData: options({ config: anyText, data: textMap, strict: flag }),
});

const registries = options({
  mirrors: mapOf(options({ endpoint: rke2Texts, rewrite: textMap })),
  configs: mapOf(
    options({
      authSecret: rke2Reference,
      tls: options({ tlsConfigSecret: rke2Reference, insecureSkipVerify: flag }),
    }),
  ),
});

/** What a machine runs at its first boot: RKE2 and everything around it. Control planes have these fields inline. */
export const rke2ConfigFields = {
  files: list(file),
  preRKE2Commands: rke2Texts,
  postRKE2Commands: rke2Texts,
  agentConfig,
  privateRegistriesConfig: registries,
  gzipUserData: flag,
};

export const rke2ConfigSpec = options(rke2ConfigFields);

export type Rke2ConfigSpec = z.input<typeof rke2ConfigSpec>;
export type Rke2AgentConfig = z.input<typeof agentConfig>;
export type Rke2Registries = z.input<typeof registries>;
export type Rke2Component = z.input<typeof rke2Component>;
export type Rke2Reference = z.input<typeof rke2Reference>;
