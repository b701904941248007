/** Runs other implementations of AWS as local programs. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  end,
  freePorts,
  lastLines,
  type RunningProgram,
  run,
  whenUp,
} from '../../../infra/cli/conformance/processes.ts';
import { PUBLISHED, STUB } from './images.ts';

export type EmulatorName = 'moto' | 'ministack';

interface Kind {
  /** The environment variable with the path of the program. */
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
    image: STUB.id,
    root: STUB.root,
    flags: () => [],
    environment: (port) => ({ GATEWAY_PORT: String(port), BIND_HOST: '127.0.0.1' }),
  },
};

/** The path of an emulator; undefined if it is not installed. */
export const programOf = (name: EmulatorName): string | undefined => process.env[EMULATORS[name].variable];

/** Starts an emulator with an empty account, by default on a free port and without additional environment variables. */
export const startEmulator = async (
  name: EmulatorName,
  program: string,
  given: { port?: number; environment?: Readonly<Record<string, string>> } = {},
): Promise<RunningProgram> => {
  const kind = EMULATORS[name];
  const home = mkdtempSync(join(tmpdir(), `windlass-${name}-`));
  const port = given.port ?? (await freePorts(1))[0] ?? 0;
  const child = run(home, program, kind.flags(port), { ...kind.environment(port, home), ...given.environment });
  const url = `http://127.0.0.1:${port}`;
  await whenUp(url, child, () => lastLines(home, program));
  return { url, stop: () => end(child) };
};
