/** The interfaces of an instance: the one that it was launched with, and those that were attached later. */
import { addInterface } from '../network/network-interfaces.ts';
import type { Instance, NetworkInterface } from '../records.ts';
import type { Ec2 } from '../state.ts';

/** All that the instance still has, the first one first: it loses them when it is terminated. */
export const interfacesOf = (ec2: Ec2, { interfaceId, furtherInterfaceIds = [] }: Instance): NetworkInterface[] =>
  [interfaceId, ...furtherInterfaceIds].flatMap((id) => ec2.networkInterfaces.find(id) ?? []);

/**
 * Attaches another interface in the subnet of the instance, as network plug-ins do to have addresses for pods. It goes
 * with the instance.
 */
export const attachInterface = (ec2: Ec2, instance: Instance): NetworkInterface => {
  const row = addInterface(ec2, {
    subnet: ec2.subnets.get(instance.subnetId),
    description: `aws-K8S-${instance.id}`,
    interfaceType: 'interface',
    instanceId: instance.id,
  });
  instance.furtherInterfaceIds = [...(instance.furtherInterfaceIds ?? []), row.id];
  return row;
};
