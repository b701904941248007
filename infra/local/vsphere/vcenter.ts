/** VMware's simulator of a vCenter, as a process of this computer. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { tryJson } from '../../../shared/decode/json.ts';
import type { Log } from '../../../shared/log.ts';

/** A virtual machine that was cloned from the template. */
export interface VirtualMachine {
  id: string;
  name: string;
  /** Of its BIOS, from which the provider makes the provider id. */
  uuid: string;
  powered: boolean;
  /** From the simulated DHCP, as soon as it is switched on. */
  address?: string;
  /** The boot data for cloud-init, base64. */
  userData?: string;
}

export interface VCenter {
  /** `host:port`. */
  address: string;
  /** The SHA-1 thumbprint of its certificate. */
  thumbprint: string;
  machines(): readonly VirtualMachine[];
  /** Calls `ring` after each change of a machine, until the returned function is called. */
  onNews(ring: () => void): () => void;
  /** Ends it, and with it all its machines. */
  stop(): Promise<void>;
}

export interface VCenterOptions {
  /** The path of the program whose source is in `simulator`. */
  program: string;
  /** `host:port`; port 0 takes a free one. */
  listen: string;
  template: string;
  username: string;
  password: string;
  log: Log;
}

/** A line of the program's output. */
type Line = { address: string; thumbprint: string } | { machines: readonly VirtualMachine[] };

const launch = ({ program, listen, template, username, password }: VCenterOptions) =>
  spawn(program, [`--listen=${listen}`, `--template=${template}`], {
    env: { VCENTER_USERNAME: username, VCENTER_PASSWORD: password },
    stdio: ['pipe', 'pipe', 'pipe'],
  });

const stopped = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.stdin?.end();
  await closed;
};

/** Starts it. Rejects with what it said if it ends before it serves, for example because its address is in use. */
export const startVCenter = async (options: VCenterOptions): Promise<VCenter> => {
  const child = launch(options);
  const said: string[] = [];
  const bells = new Set<() => void>();
  let machines: readonly VirtualMachine[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => {
    said.push(line);
    options.log.warn('the simulated vCenter reports', { line });
  });
  const server = await new Promise<{ address: string; thumbprint: string }>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => reject(new Error(`the simulated vCenter does not start: ${said.join('\n')}`)));
    createInterface({ input: child.stdout }).on('line', (text) => {
      // Lines contain boot data, which no error may quote.
      const line = tryJson(text) as Line | undefined;
      if (!line) return options.log.warn('the simulated vCenter reports something that is not JSON');
      if ('address' in line) return resolve(line);
      machines = line.machines;
      for (const ring of bells) ring();
    });
  });
  return {
    ...server,
    machines: () => machines,
    onNews: (ring) => {
      bells.add(ring);
      return () => bells.delete(ring);
    },
    stop: () => stopped(child),
  };
};
