import type { V1Node } from '@kubernetes/client-node';
import { type Cidr, contains, formatCidr, parseCidr, sizeOf } from '../../cidr.ts';
import type { Retry } from '../duties/retry.ts';

/** A block of pod addresses that must be routed to the instance of a node. */
export interface WantedRoute {
  /** The name of the node. */
  readonly name: string;
  readonly providerId: string;
  /** An IPv4 block in canonical form. */
  readonly block: string;
}

export interface FailedRoute {
  /** The name of the node. */
  readonly name: string;
  /** In the form in which the node has it. */
  readonly block: string;
  readonly message: string;
  readonly retry: Retry;
}

export interface WantedRoutes {
  readonly wanted: readonly WantedRoute[];
  readonly refused: readonly FailedRoute[];
}

/** Kubernetes' own maximum: one for each address family. */
const MOST_BLOCKS = 2;

/** No route table of AWS has more, and a hostile API server could list any number of nodes. */
const MOST_ROUTES = 1000;

/** The blocks that kube-controller-manager has allocated to a node; empty before that. */
export const blocksOf = ({ spec }: V1Node): readonly string[] => (spec?.podCIDRs ?? []).slice(0, MOST_BLOCKS);

const ageOf = ({ metadata }: V1Node): number => metadata?.creationTimestamp?.getTime() ?? 0;
const nameOf = ({ metadata }: V1Node): string => metadata?.name ?? '';

/** If two nodes want the same block, the older one gets it. */
const bySeniority = (a: V1Node, b: V1Node): number => ageOf(a) - ageOf(b) || (nameOf(a) < nameOf(b) ? -1 : 1);

/** IPv4 addresses as numbers, because the blocks of thousands of nodes are compared with each other. */
interface Taken {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

const rangeOf = (name: string, cidr: Cidr): Taken => {
  const from = Number(cidr.first);
  return { name, from, to: from + Number(sizeOf(cidr)) - 1 };
};

/** Why a block gets no route. */
const objectionTo = (text: string, network: readonly Cidr[], taken: readonly Taken[]): string | undefined => {
  if (taken.length >= MOST_ROUTES) return `a cluster gets routes for at most ${MOST_ROUTES} blocks`;
  const cidr = parseCidr(text);
  if (!cidr) return 'spec.podCIDRs: this is not a CIDR block';
  if (cidr.family === 6) return 'spec.podCIDRs: IPv6 blocks are not routed';
  if (!network.some((one) => contains(one, cidr))) {
    return 'spec.podCIDRs: the block is not inside spec.clusterNetwork.pods.cidrBlocks of the Cluster';
  }
  const range = rangeOf('', cidr);
  const rival = taken.find(({ from, to }) => from <= range.to && range.from <= to);
  return rival && `spec.podCIDRs: the block overlaps one of node ${rival.name}, which is older`;
};

/**
 * The routes that the nodes of a cluster need, and those that are not requested from any cloud. The fields of a node
 * are only a wish: its blocks must be inside `podBlocks` (the Cluster's pod network) and must not overlap those of
 * older nodes, and an instance has only one node.
 */
export const wantedRoutes = (nodes: readonly V1Node[], podBlocks: readonly string[]): WantedRoutes => {
  const network = podBlocks.flatMap((text) => parseCidr(text, 4) ?? []);
  const wanted: WantedRoute[] = [];
  const refused: FailedRoute[] = [];
  const taken: Taken[] = [];
  const instances = new Map<string, string>();
  for (const node of nodes.filter((one) => blocksOf(one).length > 0).sort(bySeniority)) {
    const [name, providerId] = [nameOf(node), node.spec?.providerID ?? ''];
    const twin = providerId === '' ? undefined : instances.get(providerId);
    instances.set(providerId, twin ?? name);
    for (const block of blocksOf(node)) {
      const message =
        twin === undefined
          ? objectionTo(block, network, taken)
          : `spec.providerID: node ${twin}, which is older, has the same one`;
      const cidr = parseCidr(block, 4);
      if (message !== undefined || !cidr) {
        refused.push({ name, block, message: message ?? '', retry: 'never' });
        continue;
      }
      taken.push(rangeOf(name, cidr));
      wanted.push({ name, providerId, block: formatCidr(cidr) });
    }
  }
  return { wanted, refused };
};
