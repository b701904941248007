/** What runs inside the virtual machines of a simulated vCenter: they boot like instances of EC2. */
import type { Clock } from '../../../shared/clock.ts';
import type { Log } from '../../../shared/log.ts';
import type { Random } from '../../../shared/random.ts';
import { virtualAddresses } from '../hosts/kube-vip.ts';
import { type HostNetwork, makeHostNetwork } from '../hosts/network.ts';
import { createFleetOver } from '../machines/fleet.ts';
import type { FirstBoot } from '../machines/machine.ts';
import type { Cloud, DataPlane, Instance } from '../machines/ports.ts';
import type { VCenter, VirtualMachine } from './vcenter.ts';

export interface VirtualMachinesOptions {
  vcenter: VCenter;
  /** Kubernetes in the template, as an image's name has it. */
  template: string;
  bootMilliseconds: number;
  retryMilliseconds: number;
  clock: Clock;
  random: Random;
  log: Log;
}

export interface VirtualMachines {
  /** The boot log of a machine, by its name. Contains no secret. */
  console(name: string): readonly string[];
  /** Switches all of them off, and discards their clusters. */
  close(): Promise<void>;
}

const instanceOf = ({ id, name, uuid, address = '' }: VirtualMachine, template: string): Instance => ({
  id,
  region: '',
  vpcId: '',
  availabilityZone: '',
  imageId: template,
  instanceType: '',
  privateIp: address,
  privateDnsName: name,
  providerId: `vsphere://${uuid}`,
});

/** A machine exists for those inside it from the moment that it has an address. */
const cloudOf = (vcenter: VCenter, template: string): Cloud => {
  const find = (id: string) => vcenter.machines().find((one) => one.id === id);
  return {
    instances: async () =>
      vcenter
        .machines()
        .filter(({ powered, address }) => !powered || address)
        .map((one) => ({ instance: instanceOf(one, template), state: one.powered ? 'running' : 'stopped' })),
    userData: async (id) => find(id)?.userData,
    imageName: async () => template,
  };
};

const noStore = async (): Promise<never> => {
  throw new Error('a virtual machine of vSphere has no store of AWS');
};

/**
 * The network of the machines. Their own addresses lead nowhere on this computer; virtual ones that kube-vip announces
 * lead to what the machine serves.
 */
const makeVirtualNetwork = (network: HostNetwork, log: Log) => {
  const files = new Map<string, FirstBoot['files']>();
  const dataPlane: DataPlane = {
    serve: (id, port, address) => {
      const found = files.get(id);
      const onFault = (path: string, reason: string) => log.warn('a static pod cannot be read', { path, reason });
      network.announce(id, found ? virtualAddresses(found, onFault) : []);
      network.serve(id, port, address);
    },
    withdraw: network.withdraw,
  };
  return { dataPlane, onFirstBoot: (machine: FirstBoot) => files.set(machine.instance.id, machine.files) };
};

/** Follows the virtual machines until they are closed. */
export const startVirtualMachines = (options: VirtualMachinesOptions): VirtualMachines => {
  const { vcenter, template, log } = options;
  const network = makeHostNetwork(() => undefined, options);
  const settings = { ...options, ...makeVirtualNetwork(network, log), onNews: vcenter.onNews };
  const account = { secrets: { read: noStore, remove: noStore }, remote: { fetch: noStore } };
  const fleet = createFleetOver(cloudOf(vcenter, template), account, settings);
  const ended = new AbortController();
  const running = fleet.run(ended.signal);
  return {
    console: (name) => fleet.console(vcenter.machines().find((one) => one.name === name)?.id ?? ''),
    close: async () => {
      ended.abort();
      await running;
      await fleet.close();
      network.close();
    },
  };
};
