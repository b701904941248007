import { flag, int32, int64, list, options, struct, text } from '../../schema/fields.ts';
import { kubeadmConfigSpec } from '../../schema/kubeadm-config-spec.ts';
import { conditionStatus } from '../../v1beta1/schema.ts';
import { oldClusterConfiguration } from './cluster-configuration.ts';
import { oldInitConfiguration, oldJoinConfiguration } from './node-configuration.ts';

/** The spec of v1beta1, in KubeadmConfigs, their templates and control planes. */
export const oldKubeadmConfigSpec = () => {
  const known = kubeadmConfigSpec.shape;
  const commands = list(text(1, 10240), { max: 1000 });
  const { partitions, filesystems } = known.diskSetup.unwrap().shape;
  const { device, layout, ...partition } = partitions.unwrap().element.shape;
  return options({
    clusterConfiguration: oldClusterConfiguration(),
    initConfiguration: oldInitConfiguration(),
    joinConfiguration: oldJoinConfiguration(),
    files: list(known.files.unwrap().element, { max: 200 }),
    diskSetup: options({
      partitions: list(struct({ device, layout: layout.unwrap() }, partition), { max: 100 }),
      filesystems,
    }),
    mounts: list(list(text(1, 512)), { max: 100 }),
    bootCommands: commands,
    preKubeadmCommands: commands,
    postKubeadmCommands: commands,
    users: list(known.users.unwrap().element, { max: 100 }),
    ntp: options({ servers: list(text(1, 512), { max: 100 }), enabled: flag }),
    format: known.format,
    verbosity: int32(),
    useExperimentalRetryJoin: flag,
    ignition: options({ containerLinuxConfig: options({ additionalConfig: text(1, 32768), strict: flag }) }),
  });
};

export const oldKubeadmConfigSchema = () =>
  options({
    spec: oldKubeadmConfigSpec(),
    status: options({
      ...conditionStatus({}),
      ready: flag,
      dataSecretName: text(1, 253),
      failureReason: text(1, 256),
      failureMessage: text(1, 10240),
      observedGeneration: int64(),
    }),
  });
