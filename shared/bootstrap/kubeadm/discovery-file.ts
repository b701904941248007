import { Buffer } from 'node:buffer';
import { compact, toYaml } from './document.ts';
import { hostPort } from './endpoint.ts';
import type { ClusterFacts, DiscoveryKubeConfig, JoinConfiguration } from './spec.ts';

/** The kubeconfig's `user`: exec plugins never prompt, because the session is not interactive. */
const user = (options: DiscoveryKubeConfig['user']) => ({
  'auth-provider': options?.authProvider && { ...options.authProvider },
  exec: options?.exec && {
    apiVersion: options.exec.apiVersion ?? 'client.authentication.k8s.io/v1',
    command: options.exec.command,
    args: options.exec.args,
    env: options.exec.env,
    provideClusterInfo: options.exec.provideClusterInfo ?? false,
    interactiveMode: 'Never',
  },
});

/**
 * The kubeconfig file for discovery by file, if the spec describes its content; undefined if there is nothing to write.
 * Server and CA are the cluster's unless the user has set them.
 */
export const discoveryFile = (
  cluster: ClusterFacts,
  configuration: JoinConfiguration,
  caCertificatePem: string,
): { path: string; content: string } | undefined => {
  const file = configuration.discovery?.file;
  if (file?.kubeConfig === undefined) return undefined;
  const target = file.kubeConfig.cluster;
  const content = toYaml(
    compact({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'default',
      contexts: [{ name: 'default', context: { cluster: 'default', user: 'default' } }],
      clusters: [
        {
          name: 'default',
          cluster: compact({
            server: target?.server ?? `https://${hostPort(cluster.endpoint)}`,
            'tls-server-name': target?.tlsServerName,
            'insecure-skip-tls-verify': target?.insecureSkipTLSVerify,
            'certificate-authority-data':
              target?.certificateAuthorityData ?? Buffer.from(caCertificatePem, 'utf8').toString('base64'),
            'proxy-url': target?.proxyURL,
          }),
        },
      ],
      users: [{ name: 'default', user: compact(user(file.kubeConfig.user)) }],
    }),
  );
  return { path: file.kubeConfigPath, content };
};
