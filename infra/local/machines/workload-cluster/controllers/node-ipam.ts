import { blockAt, blocksIn, type Cidr, formatCidr, overlaps, parseCidr } from '../../../../../shared/cidr.ts';
import type { ObjectClient } from '../../../../../shared/kube-api/storage/client.ts';
import { node } from '../kinds.ts';
import type { Node } from '../objects.ts';

/** `--node-cidr-mask-size-ipv4` and `--node-cidr-mask-size-ipv6` by default. */
const MASKS = { 4: 24, 6: 64 } as const;

const blocksOf = ({ spec }: Node): string[] => spec?.podCIDRs ?? [];

const freeBlock = (network: Cidr, taken: readonly Cidr[]): string | undefined => {
  const mask = MASKS[network.family];
  for (let index = 0; index < blocksIn(network, mask); index += 1) {
    const block = blockAt(network, mask, index);
    if (!taken.some((one) => overlaps(one, block))) return formatCidr(block);
  }
  return undefined;
};

/**
 * Does what the node IPAM controller does: gives each node without a block one from each pod network, permanently. If
 * all blocks are taken, further nodes get none.
 */
export const reconcilePodBlocks = async (objects: ObjectClient, networks: readonly string[]): Promise<void> => {
  if (networks.length === 0) return;
  const nodes = await objects.list<Node>(node);
  const taken = nodes.flatMap(blocksOf).flatMap((text) => parseCidr(text) ?? []);
  for (const one of nodes.filter((each) => blocksOf(each).length === 0)) {
    const blocks = networks.map((text) => {
      const network = parseCidr(text);
      return network && freeBlock(network, taken);
    });
    if (!blocks.every((block) => block !== undefined)) return;
    taken.push(...blocks.flatMap((text) => parseCidr(text) ?? []));
    await objects.mutate<Node>(node, { namespace: '', name: one.metadata.name }, (current) =>
      blocksOf(current).length > 0
        ? undefined
        : { ...current, spec: { ...current.spec, podCIDR: blocks[0] ?? '', podCIDRs: blocks } },
    );
  }
};
