import { parse } from 'yaml';
import type { WorkloadTarget } from './access.ts';

/** For tests: the target of a kubeconfig whose server is the cluster's endpoint. */
export const targetOf = (kubeconfig: string): WorkloadTarget => {
  const { hostname, port } = new URL(parse(kubeconfig).clusters[0].cluster.server);
  return { kubeconfig, source: 'Secret test-kubeconfig', endpoint: { host: hostname, port: Number(port || 443) } };
};
