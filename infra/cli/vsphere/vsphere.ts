/** A vCenter in memory, its virtual machines, and the provider that creates them for clusters of Windlass. */
import { systemClock } from '../../../shared/clock.ts';
import type { Log } from '../../../shared/log.ts';
import { systemRandom } from '../../../shared/random.ts';
import { startVirtualMachines, type VirtualMachines } from '../../local/vsphere/machines.ts';
import { startVCenter, type VCenter } from '../../local/vsphere/vcenter.ts';
import { QUICK } from '../laptop-machines.ts';
import type { VspherePrograms } from './programs.ts';
import { type Provider, type ProviderOptions, startProvider } from './provider.ts';

/** The data that the objects of a cluster must name. */
export const VSPHERE = {
  username: 'administrator@vsphere.local',
  password: 'simulated',
  template: 'ubuntu-2404-kube-v1.34.0',
} as const;

export interface VsphereOptions extends Pick<ProviderOptions, 'api' | 'kubeconfig' | 'home'> {
  programs: VspherePrograms;
  /** The address of the vCenter, `host:port`; port 0 selects a free one. */
  listen: string;
  bootMilliseconds: number;
  log: Log;
}

export interface Vsphere {
  vcenter: VCenter;
  machines: VirtualMachines;
  provider: Provider;
  stop(): Promise<void>;
}

/**
 * Starts all of it. If a program does not start, ends everything that was started and rejects with the program's
 * output.
 */
export const startVsphere = async (options: VsphereOptions): Promise<Vsphere> => {
  const { programs, listen, bootMilliseconds, log } = options;
  const vcenter = await startVCenter({ ...VSPHERE, program: programs.simulator, listen, log });
  const { retryMilliseconds } = QUICK;
  const parts = { clock: systemClock, random: systemRandom, log, bootMilliseconds, retryMilliseconds };
  const machines = startVirtualMachines({ vcenter, template: VSPHERE.template, ...parts });
  const stopMachines = async (): Promise<void> => {
    await machines.close();
    await vcenter.stop();
  };
  try {
    const provider = await startProvider({ ...options, program: programs.provider });
    const stop = async (): Promise<void> => {
      await provider.stop();
      await stopMachines();
    };
    return { vcenter, machines, provider, stop };
  } catch (error) {
    await stopMachines();
    throw error;
  }
};
