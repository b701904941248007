import { distributionOf } from '../../../shared/distributions/registry.ts';
import type { MachineInput } from '../../../shared/work/payloads.ts';
import { WorkloadUnreachableError } from '../../../shared/workload/client.ts';
import { readWorkloadTarget } from '../../cluster/kubeconfig-secret.ts';
import { keepToken } from '../../machine/node/token.ts';
import type { HostsDependencies } from './dependencies.ts';
import type { HostSnapshot } from './read.ts';

/**
 * Keeps the bootstrap token of a machine valid while its boot script runs. The script ends once kubeadm has joined;
 * until then nobody polls for the node, which keeps tokens valid on other providers. The first control plane machine
 * creates the tokens of machines that start together with it.
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
    // kubeadm waits for the same API server, and the next check queries that again.
    if (!(error instanceof WorkloadUnreachableError)) throw error;
  } finally {
    await client.close();
  }
};
