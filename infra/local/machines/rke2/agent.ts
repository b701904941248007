import type { MachineContext } from '../kubeadm/machine-context.ts';
import { makeSigningRequest } from '../kubeadm/signing-request.ts';
import type { Rke2Config } from './config.ts';
import { rke2NodeName, startKubelet } from './node.ts';
import { register } from './registration.ts';
import { KUBELET_PATH } from './supervisor.ts';

/** `rke2 agent`: resolves when its kubelet runs, throws an Error in RKE2's words where it would end. */
export const runAgent = async (machine: MachineContext, config: Rke2Config, version: string): Promise<void> => {
  if (!config.server) throw new Error('--server is required');
  const nodeName = rke2NodeName(config, machine);
  const registration = await register(config, 'node');
  const { requestPem, privateKeyPem } = await makeSigningRequest(nodeName);
  const certificatePem = await registration.call('POST', KUBELET_PATH, requestPem);
  // RKE2 balances over the API servers that the supervisor lists; here they are behind the same name.
  const endpoint = `${registration.host}:6443`;
  const certificate = { certificatePem, privateKeyPem };
  startKubelet(machine, { config, nodeName, version, isServer: false, endpoint, ca: registration.ca, certificate });
  machine.bootLog.line('rke2', 'rke2 agent is up and running');
};
