/** Reads a cluster's own data. */
import { parse } from 'yaml';
import { API_SERVER_PORT } from '../../../shared/providers/aws/network/security-groups/rules.ts';
import type { WorkloadTarget } from '../../../shared/workload/access.ts';
import type { ConnectWorkload } from '../../../shared/workload/client.ts';
import type { Endpoint, Observed, ObservedNode, StoredCluster } from './observed.ts';

/** `host`, `host:port`, `[address]:port`; undefined for other texts. */
export const endpointOf = (text: string): Endpoint | undefined => {
  const [, address, name, port] = /^(?:\[([\da-f:]+)\]|([^:[\]]+))(?::(\d+))?$/i.exec(text) ?? [];
  const host = address ?? name;
  return host ? { host, port: Number(port ?? API_SERVER_PORT) } : undefined;
};

const storedOf = (text: string | undefined): StoredCluster => {
  const found = parse(text ?? '', { version: '1.1' }) as {
    networking?: Omit<StoredCluster, 'endpoint'>;
    controlPlaneEndpoint?: string;
  } | null;
  const endpoint = endpointOf(found?.controlPlaneEndpoint ?? '');
  return { ...found?.networking, ...(endpoint ? { endpoint } : {}) };
};

/** The data that the workload cluster provides. */
export const observeNodes = async (
  connect: ConnectWorkload,
  target: WorkloadTarget,
): Promise<Pick<Observed, 'nodes' | 'stored'>> => {
  const client = connect(target);
  try {
    const [nodes, stored] = await Promise.all([client.nodes(), client.systemConfigMap('kubeadm-config')]);
    return {
      nodes: nodes.map(
        ({ metadata, spec, status }): ObservedNode => ({
          name: metadata?.name ?? '',
          providerID: spec?.providerID ?? '',
          version: status?.nodeInfo?.kubeletVersion ?? '',
          annotations: metadata?.annotations ?? {},
        }),
      ),
      ...(stored ? { stored: storedOf(stored.ClusterConfiguration) } : {}),
    };
  } finally {
    await client.close();
  }
};
