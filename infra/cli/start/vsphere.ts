/** `start --vsphere`: runs the vSphere provider of Cluster API beside Windlass, with VMware's simulator. */
import { mkdirSync } from 'node:fs';
import { systemClock } from '../../../shared/clock.ts';
import type { Log } from '../../../shared/log.ts';
import { makeApi } from '../api/client.ts';
import type { Access } from '../kubeconfig/kubeconfig.ts';
import { IS_CHECKOUT, PATHS } from '../paths.ts';
import type { VspherePrograms } from '../vsphere/programs.ts';
import type { Vsphere } from '../vsphere/vsphere.ts';
import { requireFreePort } from './port.ts';

/** The port in examples/vsphere.yaml. */
const PORT = 8989;

/**
 * Builds the programs, if they do not exist yet. Rejects with one line if Go is missing, or if the port of the vCenter
 * is in use.
 */
export const prepareVsphere = async (say: (line: string) => void): Promise<VspherePrograms> => {
  if (!IS_CHECKOUT) throw new Error('--vsphere needs a checkout of Windlass, whose Go programs the package leaves out');
  await requireFreePort(PORT, 'The simulated vCenter of --vsphere needs it.');
  const { provideVsphere } = await import('../vsphere/programs.ts');
  return provideVsphere(say);
};

/** Starts it with a vCenter at the address in the example. */
export const startBeside = async (
  access: Access,
  programs: VspherePrograms,
  { boot, log }: { boot: number; log: Log },
): Promise<Vsphere> => {
  mkdirSync(PATHS.vsphere, { recursive: true });
  const { startVsphere } = await import('../vsphere/vsphere.ts');
  const api = makeApi(access, systemClock);
  try {
    return await startVsphere({
      ...{ api, programs, kubeconfig: PATHS.kubeconfig, home: PATHS.vsphere },
      ...{ listen: `127.0.0.1:${PORT}`, bootMilliseconds: boot * 1000, log: log.with({ part: 'vsphere' }) },
    });
  } finally {
    api.close();
  }
};
