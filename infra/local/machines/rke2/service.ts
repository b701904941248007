import { CONFIG_PATH } from '../../../../shared/bootstrap/rke2/paths.ts';
import { RKE2_DEADLINE_SECONDS } from '../../../../shared/bootstrap/rke2/script.ts';
import { messageOf } from '../kubeadm/error.ts';
import type { MachineContext } from '../kubeadm/machine-context.ts';
import { makeSigningRequest } from '../kubeadm/signing-request.ts';
import { parseRke2Config, type Rke2Config } from './config.ts';
import { type Rke2Type, unknownKeys } from './flags.ts';
import { rke2NodeName, startKubelet } from './node.ts';
import { register } from './registration.ts';
import { runServer } from './server.ts';
import { KUBELET_PATH } from './supervisor.ts';

/** `rke2 agent`: resolves when its kubelet runs; throws an Error with RKE2's message if it would end. */
const runAgent = async (machine: MachineContext, config: Rke2Config, version: string): Promise<void> => {
  if (!config.server) throw new Error('--server is required');
  const nodeName = rke2NodeName(config, machine);
  if (machine.resumed('kubelet')) return;
  const registration = await register(config, 'node');
  const { requestPem, privateKeyPem } = await makeSigningRequest(nodeName);
  const certificatePem = await registration.call('POST', KUBELET_PATH, requestPem);
  // RKE2 balances between the API servers that the supervisor lists; here, all are behind the same name.
  const endpoint = `${registration.host}:6443`;
  const certificate = { certificatePem, privateKeyPem };
  await startKubelet(machine, {
    config,
    nodeName,
    version,
    isServer: false,
    endpoint,
    ca: registration.ca,
    certificate,
  });
  machine.bootLog.line('rke2', 'rke2 agent is up and running');
};

/** RKE2 on a machine, as user data installs and starts it. */
export interface Rke2Services {
  /** Called after the install script ran. `version` is that of the image if the script specified none. */
  install(installed: { type: Rke2Type; version: string | undefined }): boolean;
  /** `systemctl start` of an RKE2 unit. Resolves to true when the service is ready, and to false when it gave up. */
  start(type: Rke2Type): Promise<boolean>;
}

const VERSION = /^v\d+\.\d+\.\d+(-[0-9a-z.]+)?\+rke2r\d+$/;

const runOnce = async (machine: MachineContext, type: Rke2Type, version: string): Promise<void> => {
  const config = parseRke2Config(machine.files.read(CONFIG_PATH) ?? '');
  for (const key of unknownKeys(type, config.keys)) {
    machine.bootLog.line('rke2', `Unknown flag --${key} found in config.yaml, skipping`);
  }
  if (config.server && !config.token) throw new Error('--token is required');
  await (type === 'server' ? runServer : runAgent)(machine, config, version);
};

/** The RKE2 services of a machine, none of which is installed yet. */
export const makeRke2Services = (machine: MachineContext): Rke2Services => {
  const { bootLog, clock, signal, retryMilliseconds } = machine;
  let installed: { type: Rke2Type; version: string } | undefined;
  return {
    install: ({ type, version }) => {
      if (!version || !VERSION.test(version)) {
        bootLog.line('rke2', `[ERROR] failed to download checksums of release ${version ?? '(none)'}`);
        return false;
      }
      installed = { type, version };
      bootLog.line('rke2', `installed rke2 ${version} (${type})`);
      return true;
    },
    start: async (type) => {
      if (installed?.type !== type) {
        bootLog.line('systemd', `Failed to start rke2-${type}.service: Unit rke2-${type}.service not found.`);
        return false;
      }
      const { version } = installed;
      const deadline = clock.now().getTime() + RKE2_DEADLINE_SECONDS * 1000;
      let lastReason = '';
      while (clock.now().getTime() < deadline) {
        try {
          await runOnce(machine, type, version);
          return true;
        } catch (error) {
          if (signal.aborted) throw error;
          if (messageOf(error) !== lastReason) bootLog.line('rke2', `level=fatal msg=${messageOf(error)}`);
          lastReason = messageOf(error);
        }
        // systemd starts it again (Restart=always); nothing of the failed attempt remains.
        await machine.reset();
        await clock.sleep(retryMilliseconds, signal);
      }
      return false;
    },
  };
};
