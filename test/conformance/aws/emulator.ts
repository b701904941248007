/** The other implementations of AWS, as programs of this computer. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { end, freePorts, lastLines, run } from '../../../infra/cli/conformance/processes.ts';

export type EmulatorName = 'moto' | 'ministack';

/** An image as another account has published it, which moto takes from a file. */
const PUBLISHED = {
  ami_id: 'ami-0c0ffee0c0ffee001',
  name: 'capa-ami-ubuntu-24.04-v1.34.0-1764000000',
  owner_id: '819546954734',
  public: true,
  state: 'available',
  architecture: 'x86_64',
  virtualization_type: 'hvm',
  hypervisor: 'xen',
  image_type: 'machine',
  image_location: 'published',
  root_device_type: 'ebs',
  root_device_name: '/dev/sda1',
  description: 'An image of the suite',
  sriov: 'simple',
};

/** One of those that ministack has by itself; images that are registered there need Docker to be launched. */
const STUB = 'ami-0123456789abcdef0';

interface Kind {
  /** Where the suite finds its program. */
  variable: string;
  /** An image that can be launched, and its root device. */
  image: string;
  root: string;
  flags(port: number): string[];
  environment(port: number, home: string): Record<string, string>;
}

export const EMULATORS: Readonly<Record<EmulatorName, Kind>> = {
  moto: {
    variable: 'WINDLASS_MOTO',
    image: PUBLISHED.ami_id,
    root: '/dev/sda1',
    flags: (port) => ['-H', '127.0.0.1', '-p', String(port)],
    environment: (_, home) => {
      const images = join(home, 'images.json');
      writeFileSync(images, JSON.stringify([PUBLISHED]));
      return { MOTO_AMIS_PATH: images };
    },
  },
  ministack: {
    variable: 'WINDLASS_MINISTACK',
    image: STUB,
    root: '/dev/xvda',
    flags: () => [],
    environment: (port) => ({ GATEWAY_PORT: String(port), BIND_HOST: '127.0.0.1' }),
  },
};

/** Where an emulator is installed, or undefined. */
export const programOf = (name: EmulatorName): string | undefined => process.env[EMULATORS[name].variable];

export interface RunningEmulator {
  url: string;
  stop(): Promise<void>;
}

const isUp = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  );

/** Resolves when the URL answers. Rejects with the program's last words if it does not in a minute, or ends before. */
export const whenUp = async (url: string, child: ChildProcess, words: () => string): Promise<void> => {
  const until = Date.now() + 60_000;
  while (!(await isUp(url))) {
    if (child.exitCode !== null || Date.now() > until) throw new Error(`no answer from ${url}:\n${words()}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};

/** Starts an emulator with an empty account. */
export const startEmulator = async (name: EmulatorName, program: string): Promise<RunningEmulator> => {
  const kind = EMULATORS[name];
  const home = mkdtempSync(join(tmpdir(), `windlass-${name}-`));
  const [port = 0] = await freePorts(1);
  const child = run(home, program, kind.flags(port), kind.environment(port, home));
  const url = `http://127.0.0.1:${port}`;
  await whenUp(url, child, () => lastLines(home, program));
  return { url, stop: () => end(child) };
};
