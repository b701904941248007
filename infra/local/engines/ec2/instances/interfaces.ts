/** The interfaces of an instance: the one with which it was launched, and those attached later. */
import { addInterface } from '../network/network-interfaces.ts';
import type { Instance, NetworkInterface } from '../records.ts';
import type { Ec2 } from '../state.ts';

/** All current interfaces of the instance, beginning with the first: it loses them when it is terminated. */
export const interfacesOf = (ec2: Ec2, { interfaceId, furtherInterfaceIds = [] }: Instance): NetworkInterface[] =>
  [interfaceId, ...furtherInterfaceIds].flatMap((id) => ec2.networkInterfaces.find(id) ?? []);

/**
 * Attaches another interface in the instance's subnet, as CNI plugins do for addresses of pods. It is deleted with
 * the instance.
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
