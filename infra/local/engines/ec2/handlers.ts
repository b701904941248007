import type * as sdk from '@aws-sdk/client-ec2';
import type { Call } from '../wire/call.ts';
import { AwsFault } from '../wire/fault.ts';
import type { AnyHandlers, Handlers } from '../wire/handlers.ts';
import { zoneActions } from './availability-zones.ts';
import { imageActions } from './images/actions.ts';
import { ownImageActions } from './images/own-images.ts';
import { type ConsoleOf, consoleActions } from './instances/console.ts';
import { dedicatedHostActions } from './instances/dedicated-hosts.ts';
import { instanceActions } from './instances/instances.ts';
import { keyPairActions } from './instances/key-pairs.ts';
import { instanceStateActions } from './instances/state.ts';
import { instanceTypeActions } from './instances/types.ts';
import { volumeActions } from './instances/volumes.ts';
import { launchTemplateActions } from './launch-templates/handlers.ts';
import { templateVersionActions } from './launch-templates/version-handlers.ts';
import { addressPoolActions } from './network/address-pools.ts';
import { addressActions } from './network/addresses.ts';
import { carrierGatewayActions } from './network/carrier-gateways.ts';
import { dhcpOptionsActions } from './network/dhcp-options.ts';
import { egressOnlyGatewayActions } from './network/egress-only-gateways.ts';
import { internetGatewayActions } from './network/internet-gateways.ts';
import { natGatewayActions } from './network/nat-gateways.ts';
import { networkInterfaceActions } from './network/network-interfaces.ts';
import { routeTableActions } from './network/route-tables.ts';
import { routeActions } from './network/routes.ts';
import { securityGroupActions } from './network/security-groups.ts';
import { subnetActions } from './network/subnets.ts';
import { vpcBlockActions } from './network/vpc-blocks.ts';
import { vpcEndpointActions } from './network/vpc-endpoints.ts';
import { vpcActions } from './network/vpcs.ts';
import { resourceTagActions } from './resource-tags.ts';
import type { Ec2 } from './state.ts';

/** With `DryRun`, EC2 only checks permissions, which everyone has here, and reports the result as an error. */
const refuseDryRun =
  (handler: NonNullable<AnyHandlers[string]>) =>
  (input: object, call: Call): unknown => {
    if ('DryRun' in input && input.DryRun === true)
      throw new AwsFault('DryRunOperation', 'Request would have succeeded, but DryRun flag is set.', 412);
    return handler(input, call);
  };

/** All operations of the simulated EC2 of a region. Without `consoleOf`, instances have no console output. */
export const ec2Handlers = (ec2: Ec2, consoleOf: ConsoleOf = () => []): Handlers<typeof sdk> => {
  const handlers: Handlers<typeof sdk> = {
    ...zoneActions(ec2),
    ...vpcActions(ec2),
    ...vpcBlockActions(ec2),
    ...dhcpOptionsActions(ec2),
    ...vpcEndpointActions(ec2),
    ...addressPoolActions(ec2),
    ...subnetActions(ec2),
    ...internetGatewayActions(ec2),
    ...egressOnlyGatewayActions(ec2),
    ...carrierGatewayActions(ec2),
    ...addressActions(ec2),
    ...natGatewayActions(ec2),
    ...routeTableActions(ec2),
    ...routeActions(ec2),
    ...securityGroupActions(ec2),
    ...networkInterfaceActions(ec2),
    ...imageActions(ec2),
    ...ownImageActions(ec2),
    ...instanceTypeActions(ec2),
    ...instanceActions(ec2),
    ...instanceStateActions(ec2),
    ...consoleActions(ec2, consoleOf),
    ...dedicatedHostActions(ec2),
    ...volumeActions(ec2),
    ...keyPairActions(ec2),
    ...launchTemplateActions(ec2),
    ...templateVersionActions(ec2),
    ...resourceTagActions(ec2),
  };
  const entries = Object.entries(handlers as AnyHandlers);
  return Object.fromEntries(entries.map(([name, handler]) => [name, handler && refuseDryRun(handler)]));
};
