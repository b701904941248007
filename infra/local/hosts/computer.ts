import { createHash } from 'node:crypto';
import { messageOf } from '../machines/kubeadm/error.ts';
import { type FirstBoot, type Machine, type MachineOptions, makeMachine } from '../machines/machine.ts';
import type { Instance } from '../machines/ports.ts';
import type { AgentCall } from './agent-call.ts';
import { virtualAddresses } from './kube-vip.ts';
import type { HostNetwork } from './network.ts';
import { runPayload } from './payload.ts';

/** A simulated host: a computer that runs whether or not a machine uses it. */
export interface Computer {
  /** The host's answer to a call, in the form in which the agent would print it. */
  answer(call: AgentCall, input: Buffer): Promise<string>;
  /** The output of the boot script, like /var/lib/windlass/boot.log on a host. */
  bootLog(): string;
  close(): Promise<void>;
}

export interface ComputerOptions
  extends Pick<MachineOptions, 'bootMilliseconds' | 'retryMilliseconds' | 'clusters' | 'clock' | 'random' | 'log'> {
  host: Instance;
  network: HostNetwork;
}

/** One use of the host: by a machine, from its claim to its release. */
interface Use {
  uid: string;
  machine?: Machine;
  job: 'none' | 'running' | number;
  release?: 'running' | 'done';
}

const LAST_BYTES = 4000;

const lines = (answer: Readonly<Record<string, string>>): string =>
  Object.entries(answer)
    .map(([key, value]) => `windlass:${key}=${value}\n`)
    .join('');

/** A line of the console as the program wrote it, without the time and the program's name. */
const bare = (line: string): string => line.replace(/^\[[^\]]*\] [\w-]+: /, '').replace(/^error: /, '');

const wordsOf = (machine: Machine | undefined): string =>
  Buffer.from((machine?.console() ?? []).map(bare).join('\n'))
    .subarray(-LAST_BYTES)
    .toString('base64');

/** A host can have any version of Kubernetes, or whatever the bootstrap data installs. */
const SYSTEM = { system: 'Ubuntu 24.04.3 LTS', imageVersion: undefined, isStock: false } as const;

const isIntact = (input: Buffer, sum: string): boolean => createHash('sha256').update(input).digest('hex') === sum;

/** Does what the agent in shared/providers/hosts does on a real host, with a simulated machine instead of a shell. */
export const makeComputer = (options: ComputerOptions): Computer => {
  const { host, network } = options;
  const released = new Set<string>();
  let use: Use | undefined;

  const firstBoot = async (current: Use, payload: string, machine: FirstBoot): Promise<void> => {
    const announce = (): void => {
      const onFault = (path: string, reason: string) => machine.log.line('kubelet', `${path}: ${reason}`);
      network.announce(host.id, virtualAddresses(machine.files, onFault));
    };
    try {
      current.job = await runPayload(payload, machine, announce);
    } catch (error) {
      if (machine.waiting.signal.aborted) throw error;
      machine.log.line('windlass', `windlass: ${messageOf(error)}`);
      current.job = 1;
    }
  };

  const boot = (current: Use, payload: string): void => {
    current.job = 'running';
    current.machine = makeMachine({
      ...options,
      ...SYSTEM,
      instance: host,
      dataPlane: network,
      firstBoot: (machine) => firstBoot(current, payload, machine),
    });
    current.machine.start();
  };

  const progress = ({ job, machine }: Use): string =>
    lines({ state: String(job), ...(typeof job === 'number' && job !== 0 ? { words: wordsOf(machine) } : {}) });

  const start = ({ uid, argument }: AgentCall, input: Buffer): string => {
    if (released.has(uid)) return lines({ state: 'foreign' });
    use ??= { uid, job: 'none' };
    if (use.uid !== uid) return lines({ state: 'foreign' });
    if (use.job === 'none') {
      if (!isIntact(input, argument)) return lines({ state: 'incomplete' });
      boot(use, input.toString('utf8'));
    }
    return progress(use);
  };

  const release = (current: Use): string => {
    current.release = 'running';
    const end = async (): Promise<void> => {
      await current.machine?.terminate();
      network.announce(host.id, []);
      current.release = 'done';
    };
    end().catch((error: unknown) => options.log.error('a host cannot be reset', { reason: messageOf(error) }));
    return lines({ state: 'running' });
  };

  const reset = ({ uid }: AgentCall): string => {
    released.add(uid);
    if (use === undefined) return lines({ state: 'free' });
    if (use.uid !== uid) return lines({ state: 'foreign' });
    if (use.release === undefined) return release(use);
    if (use.release === 'running') return lines({ state: 'running' });
    use = undefined;
    return lines({ state: 'free' });
  };

  const check = (): string =>
    lines({
      owner: use?.uid ?? '',
      hostname: host.privateDnsName,
      // The client and the server of the connection, in sshd's format.
      address: `127.0.0.1 0 ${host.privateIp} 22`,
      kubelet: use?.machine ? 'yes' : 'no',
    });

  return {
    answer: async (call, input) => {
      if (call.verb === 'check') return check();
      if (call.verb === 'start') return start(call, input);
      if (call.verb === 'reset') return reset(call);
      return use?.uid === call.uid ? progress(use) : lines({ state: 'foreign' });
    },
    bootLog: () => (use?.machine?.console() ?? []).map((line) => `${line}\n`).join(''),
    close: async () => {
      await use?.machine?.terminate();
    },
  };
};
