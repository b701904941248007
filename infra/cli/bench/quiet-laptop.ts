/** A laptop for one measurement: on a free port, without logs, and without leaving files behind. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../../../shared/log.ts';
import { type Laptop, type LaptopOptions, startLaptop } from '../laptop.ts';

type QuietOptions = Omit<LaptopOptions, 'port' | 'tlsDirectory' | 'log' | 'onFunctionLog'>;

/** Starts the laptop. Its `stop` also removes its files. */
export const startQuietLaptop = async (options: QuietOptions): Promise<Laptop> => {
  const home = mkdtempSync(join(tmpdir(), 'windlass-bench-'));
  const quiet = { port: 0, tlsDirectory: join(home, 'tls'), log: silentLog, onFunctionLog: () => {} };
  const laptop = await startLaptop({ ...options, ...quiet });
  const stop = async (): Promise<void> => {
    await laptop.stop();
    rmSync(home, { recursive: true, force: true });
  };
  return { ...laptop, stop };
};
