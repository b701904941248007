import * as z from 'zod';
import { envVars } from './env-var.ts';
import { flag, int32, keyedList, list, mapOf, someOf, struct, text } from './fields.ts';

/** kubeadm's `clusterConfiguration`: the settings of the complete control plane. */

/**
 * Command line flags. As in upstream, they are keyed by name and value, because a flag may be repeated. As long as
 * v1beta1 is served, a name may occur only once, which validation checks.
 */
export const extraArgs = keyedList(['name', 'value'], struct({ name: text(1, 256), value: text(0, 1024) }, {}), {
  min: 1,
  max: 100,
});

const hostPathMount = struct(
  { name: text(1, 512), hostPath: text(1, 512), mountPath: text(1, 512) },
  { readOnly: flag, pathType: z.string() },
);

const component = {
  extraArgs,
  extraVolumes: list(hostPathMount, { min: 1, max: 100 }),
  extraEnvs: envVars,
};

const subjectNames = list(text(1, 253), { min: 1, max: 100 });

const image = { imageRepository: text(1, 512), imageTag: text(1, 256) };

const localEtcd = someOf({
  ...image,
  dataDir: text(1, 512),
  extraArgs,
  extraEnvs: envVars,
  serverCertSANs: subjectNames,
  peerCertSANs: subjectNames,
});

const externalEtcd = struct(
  {
    endpoints: list(text(1, 512), { min: 1, max: 50 }),
    caFile: text(1, 512),
    certFile: text(1, 512),
    keyFile: text(1, 512),
  },
  {},
);

export const clusterConfiguration = someOf({
  etcd: someOf({ local: localEtcd, external: externalEtcd }),
  controlPlaneEndpoint: text(1, 512),
  apiServer: someOf({ ...component, certSANs: subjectNames }),
  controllerManager: someOf(component),
  scheduler: someOf(component),
  dns: someOf(image),
  certificatesDir: text(1, 512),
  imageRepository: text(1, 512),
  featureGates: mapOf(flag),
  certificateValidityPeriodDays: int32({ min: 1, max: 1095 }),
  caCertificateValidityPeriodDays: int32({ min: 1, max: 36500 }),
  encryptionAlgorithm: z.enum(['ECDSA-P256', 'ECDSA-P384', 'RSA-2048', 'RSA-3072', 'RSA-4096']),
});

export type ClusterConfiguration = z.input<typeof clusterConfiguration>;
export type ExtraArgs = z.input<typeof extraArgs>;
