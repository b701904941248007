import { distributionOf } from '../../../shared/distributions/registry.ts';
import type { MachineInput } from '../../../shared/work/payloads.ts';
import { WorkloadUnreachableError } from '../../../shared/workload/client.ts';
import { readWorkloadTarget } from '../../cluster/kubeconfig-secret.ts';
import { keepToken } from '../../machine/node/token.ts';
import type { HostsDependencies } from './dependencies.ts';
import type { HostSnapshot } from './read.ts';

/**
 * Keeps the bootstrap token of a machine valid while its boot script runs. The script ends once kubeadm has joined, so
 * the node is not polled before, which is what keeps tokens valid elsewhere. The first control plane machine creates
 * the tokens of those that start with it.
 */
export const keepTokenOfBoot = async (
  { objects, clock, connect }: HostsDependencies,
  { cluster, machine }: Pick<HostSnapshot, 'cluster' | 'machine'>,
  ref: MachineInput['machine'],
): Promise<void> => {
  const usesTokens = distributionOf('config', machine.spec.bootstrap.configRef)?.usesBootstrapTokens === true;
  if (!usesTokens || !cluster?.status?.initialization?.controlPlaneInitialized) return;
  const target = await readWorkloadTarget(objects, cluster);
  if (!target) return;
  const client = connect(target);
  try {
    await keepToken({ objects, clock }, client, ref, machine, 0);
  } catch (error) {
    // kubeadm waits for the same API server, and the next check queries it again.
    if (!(error instanceof WorkloadUnreachableError)) throw error;
  } finally {
    await client.close();
  }
};
