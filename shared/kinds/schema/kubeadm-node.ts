import * as z from 'zod';
import { bytes, flag, int32, list, options, someOf, struct, text, textMap, time } from './fields.ts';
import { extraArgs } from './kubeadm-cluster.ts';

/** kubeadm's `initConfiguration` and `joinConfiguration`: the settings of one machine. */

const taint = struct({ key: z.string(), effect: z.string() }, { value: z.string(), timeAdded: time });

export const nodeRegistration = someOf({
  name: text(1, 253),
  criSocket: text(1, 512),
  taints: list(taint, { min: 0, max: 100 }),
  kubeletExtraArgs: extraArgs,
  ignorePreflightErrors: list(text(1, 512), { min: 1, max: 50 }),
  imagePullPolicy: z.enum(['Always', 'IfNotPresent', 'Never']),
  imagePullSerial: flag,
});

const localAPIEndpoint = someOf({ advertiseAddress: text(1, 39), bindPort: int32({ min: 1 }) });

const timeouts = someOf({
  controlPlaneComponentHealthCheckSeconds: int32({ min: 0 }),
  kubeletHealthCheckSeconds: int32({ min: 0 }),
  kubernetesAPICallSeconds: int32({ min: 0 }),
  etcdAPICallSeconds: int32({ min: 0 }),
  tlsBootstrapSeconds: int32({ min: 0 }),
  discoverySeconds: int32({ min: 0 }),
});

const shared = {
  nodeRegistration,
  skipPhases: list(text(1, 256), { min: 1, max: 50 }),
  patches: someOf({ directory: text(1, 512) }),
  timeouts,
};

const words = list(text(1, 256), { min: 1, max: 100 });

const bootstrapToken = struct(
  { token: text(1, 23) },
  { description: text(1, 512), ttlSeconds: int32({ min: 0 }), expires: time, usages: words, groups: words },
);

export const initConfiguration = someOf({
  ...shared,
  bootstrapTokens: list(bootstrapToken, { min: 1, max: 100 }),
  localAPIEndpoint,
});

const kubeConfigUser = someOf({
  authProvider: struct({ name: text(1, 256) }, { config: textMap }),
  exec: struct(
    { command: text(1, 1024) },
    {
      args: list(text(1, 512), { min: 1, max: 100 }),
      env: list(struct({ name: text(1, 512), value: text(1, 512) }, {}), { min: 1, max: 100 }),
      apiVersion: text(1, 512),
      provideClusterInfo: flag,
    },
  ),
});

const kubeConfigCluster = someOf({
  server: text(1, 512),
  tlsServerName: text(1, 512),
  insecureSkipTLSVerify: flag,
  certificateAuthorityData: bytes.min(1).max(51200).meta({ format: 'byte' }),
  proxyURL: text(1, 512),
});

const discovery = someOf({
  bootstrapToken: someOf({
    token: text(1, 512),
    apiServerEndpoint: text(1, 512),
    caCertHashes: list(text(1, 512), { min: 1, max: 100 }),
    unsafeSkipCAVerification: flag,
  }),
  file: struct(
    { kubeConfigPath: text(1, 512) },
    { kubeConfig: struct({ user: kubeConfigUser }, { cluster: kubeConfigCluster }) },
  ),
  tlsBootstrapToken: text(1, 512),
});

export const joinConfiguration = someOf({
  ...shared,
  caCertPath: text(1, 512),
  discovery,
  controlPlane: options({ localAPIEndpoint }),
});
