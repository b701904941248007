import { type ClusterName, isOwnedBy, type Tags } from '../tags.ts';
import type { NetworkAction, ObservedNetwork } from './model.ts';

/** Takes down what only some networks have. `observed` is the cluster's own part. */

interface Part {
  actions: NetworkAction[];
  blockers: string[];
}

const planThings = (
  cluster: ClusterName,
  things: readonly { id: string; tags: Tags }[] = [],
  noun: string,
  remove: (id: string) => NetworkAction,
): Part => ({
  actions: things.filter(({ tags }) => isOwnedBy(cluster, tags)).map(({ id }) => remove(id)),
  blockers: things
    .filter(({ tags }) => !isOwnedBy(cluster, tags))
    .map(({ id }) => `${noun} ${id}, which does not belong to the cluster`),
});

/** Secondary blocks go when no subnet is left, before the VPC. */
const planBlocks = ({ vpcs, subnets }: ObservedNetwork): NetworkAction[] =>
  vpcs
    .filter(({ id }) => !subnets.some(({ vpcId }) => vpcId === id))
    .flatMap(({ id, secondary = [] }) =>
      secondary.map(
        ({ associationId, cidrBlock }): NetworkAction => ({
          type: 'DisassociateVpcBlock',
          vpcId: id,
          associationId,
          cidrBlock,
        }),
      ),
    );

export const planExtrasDeletion = (cluster: ClusterName, observed: ObservedNetwork): Part[] => [
  planThings(cluster, observed.endpoints, 'VPC endpoint', (endpointId) => ({ type: 'DeleteVpcEndpoint', endpointId })),
  planThings(cluster, observed.egressOnlyGateways, 'egress-only internet gateway', (gatewayId) => ({
    type: 'DeleteEgressOnlyInternetGateway',
    gatewayId,
  })),
  planThings(cluster, observed.carrierGateways, 'carrier gateway', (gatewayId) => ({
    type: 'DeleteCarrierGateway',
    gatewayId,
  })),
  { actions: planBlocks(observed), blockers: [] },
];

/** VPCs that something of these things is still in. */
export const vpcsWithExtras = ({ vpcs, ...observed }: ObservedNetwork): string[] => [
  ...vpcs.flatMap(({ id, secondary = [] }) => (secondary.length > 0 ? [id] : [])),
  ...[...(observed.endpoints ?? []), ...(observed.egressOnlyGateways ?? []), ...(observed.carrierGateways ?? [])].map(
    ({ vpcId }) => vpcId,
  ),
];
