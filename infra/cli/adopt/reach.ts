/** Finds a connection to a cluster of which only the AWS resources are known. */
import { WorkloadUnreachableError } from '../../../shared/workload/client.ts';
import type { Endpoint, Observed } from './observed.ts';

/** The answer of the cluster at a URL; throws WorkloadUnreachableError if it does not answer there. */
export type AskNodes = (server: string) => Promise<Pick<Observed, 'nodes' | 'stored'>>;

const urlOf = ({ host, port }: Endpoint): string => `https://${host.includes(':') ? `[${host}]` : host}:${port}`;

/**
 * Connects to the given endpoint, or else through one load balancer after the other, and uses the endpoint that kubeadm
 * has stored. `silent` gives the reason if none answered.
 */
export const reachNodes = async (
  { balancers }: Pick<Observed, 'balancers'>,
  named: Endpoint | undefined,
  ask: AskNodes,
): Promise<Pick<Observed, 'nodes' | 'stored' | 'silent' | 'endpoint'>> => {
  const ways = named ? [named] : balancers.map(({ host, port }) => ({ host, port }));
  const refusals: string[] = [];
  for (const way of ways) {
    try {
      const said = await ask(urlOf(way));
      return { ...said, endpoint: said.stored?.endpoint ?? way };
    } catch (error) {
      if (!(error instanceof WorkloadUnreachableError)) throw error;
      refusals.push(`${way.host}:${way.port}: ${error.message}`);
    }
  }
  const nowhere = 'no load balancer routes to it: set its endpoint with --endpoint HOST:PORT';
  return { nodes: [], silent: refusals.join('; ') || nowhere };
};
