import * as z from 'zod';
import { envVars } from '../../schema/env-var.ts';
import { flag, list, mapOf, options, text, textMap } from '../../schema/fields.ts';
import { clusterConfiguration } from '../../schema/kubeadm-cluster.ts';
import { duration } from '../../v1beta1/schema.ts';

export const typeMeta = () => ({ apiVersion: z.string(), kind: z.string() });

/** `clusterConfiguration` of v1beta1, which has the shape of kubeadm's own v1beta3. */
export const oldClusterConfiguration = () => {
  const known = clusterConfiguration.shape;
  const subjectNames = list(text(1, 253), { max: 100 });
  const envs = list(envVars.element, { max: 100 });
  const { extraVolumes } = known.scheduler.unwrap().shape;
  const component = {
    extraArgs: textMap,
    extraVolumes: list(extraVolumes.unwrap().element, { max: 100 }),
    extraEnvs: envs,
  };
  const { external, local } = known.etcd.unwrap().shape;
  return options({
    ...typeMeta(),
    etcd: options({
      local: options({
        ...local.unwrap().shape,
        extraArgs: textMap,
        extraEnvs: envs,
        serverCertSANs: subjectNames,
        peerCertSANs: subjectNames,
      }),
      external: external.unwrap().extend({ endpoints: list(text(1, 512), { max: 50 }) }),
    }),
    networking: options({ serviceSubnet: text(1, 1024), podSubnet: text(1, 1024), dnsDomain: text(1, 253) }),
    kubernetesVersion: text(1, 256),
    clusterName: text(1, 63),
    controlPlaneEndpoint: known.controlPlaneEndpoint,
    apiServer: options({ ...component, certSANs: subjectNames, timeoutForControlPlane: duration() }),
    controllerManager: options(component),
    scheduler: options(component),
    dns: options(known.dns.unwrap().shape),
    certificatesDir: known.certificatesDir,
    imageRepository: known.imageRepository,
    featureGates: mapOf(flag),
    certificateValidityPeriodDays: known.certificateValidityPeriodDays,
    caCertificateValidityPeriodDays: known.caCertificateValidityPeriodDays,
    encryptionAlgorithm: known.encryptionAlgorithm,
  });
};
