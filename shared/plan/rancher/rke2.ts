import type { Rke2AgentConfig, Rke2ServerConfig } from '../../kinds/index.ts';
import { withoutUndefined } from '../../kube-api/json.ts';
import type { RancherConfig } from './config.ts';
import type { ClusterYml } from './config-schema.ts';

type Services = NonNullable<ClusterYml['services']>;

/** Flags in RKE2's form: `name=value`. */
const argsOf = (service: { extra_args?: Record<string, string> | undefined } | undefined): string[] =>
  Object.entries(service?.extra_args ?? {}).map(([name, value]) => `${name}=${value}`);

const componentOf = (service: Services[keyof Services]) => {
  const extraArgs = argsOf(service);
  return extraArgs.length > 0 ? { extraArgs } : undefined;
};

/** The kubelet on a host would not know it, so it is set when the bootstrap data are sent. */
const PROVIDER_ID = 'provider-id={{ ds.meta_data.provider_id }}';

const NO_WORKLOADS = 'node-role.kubernetes.io/control-plane:NoSchedule';

const agentConfigOf = ({ services }: ClusterYml, nodeTaints: string[] | undefined): Rke2AgentConfig =>
  withoutUndefined({
    kubelet: { extraArgs: [PROVIDER_ID, ...argsOf(services?.kubelet)] },
    kubeProxy: componentOf(services?.kubeproxy),
    nodeTaints,
  });

/** The settings of a worker. */
export const workerConfigOf = ({ yml }: RancherConfig) => ({ agentConfig: agentConfigOf(yml, undefined) });

type PluginComponents = NonNullable<NonNullable<Rke2ServerConfig['disableComponents']>['pluginComponents']>;

const disabledIn = ({ ingress, monitoring }: ClusterYml): PluginComponents => [
  ...(ingress?.provider === 'none' ? (['rke2-ingress-nginx'] as const) : []),
  ...(monitoring?.provider === 'none' ? (['rke2-metrics-server'] as const) : []),
];

const serverConfigOf = (yml: ClusterYml): Rke2ServerConfig => {
  const { services, network, authentication } = yml;
  const pluginComponents = disabledIn(yml);
  const etcd = componentOf(services?.etcd);
  return withoutUndefined({
    cni: network?.plugin,
    tlsSan: authentication?.sans,
    clusterDomain: services?.kubelet?.cluster_domain,
    clusterDNS: services?.kubelet?.cluster_dns_server,
    kubeAPIServer: componentOf(services?.['kube-api']),
    kubeControllerManager: componentOf(services?.['kube-controller']),
    kubeScheduler: componentOf(services?.scheduler),
    etcd: etcd && { customConfig: etcd },
    disableComponents: pluginComponents.length > 0 ? { pluginComponents } : undefined,
  });
};

/** The settings of a control plane node, which only runs users' pods if it is also a worker. */
export const serverConfigsOf = ({ yml, nodes }: RancherConfig) => {
  const takesWorkloads = nodes.some(({ isControlPlane, isWorker }) => isControlPlane && isWorker);
  return {
    agentConfig: agentConfigOf(yml, takesWorkloads ? undefined : [NO_WORKLOADS]),
    serverConfig: serverConfigOf(yml),
  };
};
