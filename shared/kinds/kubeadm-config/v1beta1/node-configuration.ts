import * as z from 'zod';
import { int32, list, options, struct, text, textMap, time } from '../../schema/fields.ts';
import { initConfiguration, joinConfiguration, nodeRegistration } from '../../schema/kubeadm-node.ts';
import { duration } from '../../v1beta1/schema.ts';
import { typeMeta } from './cluster-configuration.ts';

/** `initConfiguration` and `joinConfiguration` of v1beta1. */

const shared = () => ({
  ...typeMeta(),
  nodeRegistration: options({
    ...nodeRegistration.shape,
    kubeletExtraArgs: textMap,
    ignorePreflightErrors: list(text(1, 512), { max: 50 }),
  }),
  patches: options({ directory: text(1, 512) }),
  skipPhases: list(text(1, 256), { max: 50 }),
});

const apiEndpoint = () => options({ advertiseAddress: text(1, 39), bindPort: int32() });

export const oldInitConfiguration = () => {
  const words = list(text(1, 256), { max: 100 });
  const known = initConfiguration.shape.bootstrapTokens.unwrap().element.shape;
  const token = struct(
    { token: z.string() },
    { description: known.description, ttl: duration(), expires: time, usages: words, groups: words },
  );
  return options({ ...shared(), bootstrapTokens: list(token, { max: 100 }), localAPIEndpoint: apiEndpoint() });
};

const fileDiscovery = () => {
  const { file } = joinConfiguration.shape.discovery.unwrap().shape;
  const known = file.unwrap().shape;
  const { user, cluster } = known.kubeConfig.unwrap().shape;
  const { authProvider, exec } = user.shape;
  const { command, ...others } = exec.unwrap().shape;
  const run = struct(
    { command },
    {
      ...others,
      args: list(text(1, 512), { max: 100 }),
      env: list(others.env.unwrap().element, { max: 100 }),
    },
  );
  return struct(
    { kubeConfigPath: known.kubeConfigPath },
    {
      kubeConfig: struct({ user: options({ authProvider, exec: run }) }, { cluster: options(cluster.unwrap().shape) }),
    },
  );
};

export const oldJoinConfiguration = () => {
  const { bootstrapToken } = joinConfiguration.shape.discovery.unwrap().shape;
  return options({
    ...shared(),
    caCertPath: joinConfiguration.shape.caCertPath,
    discovery: options({
      bootstrapToken: options({
        ...bootstrapToken.unwrap().shape,
        caCertHashes: list(text(1, 512), { max: 100 }),
      }),
      file: fileDiscovery(),
      tlsBootstrapToken: text(1, 512),
      timeout: duration(),
    }),
    controlPlane: options({ localAPIEndpoint: apiEndpoint() }),
  });
};
