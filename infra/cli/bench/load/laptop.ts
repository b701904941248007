/** `npm start` as a side that is measured. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../../shared/clock.ts';
import { makeToken } from '../../kubeconfig/token.ts';
import { readAccess, startChild, stopChild } from '../child.ts';
import { connect } from '../connection.ts';
import type { Side } from './play.ts';

/** Starts it in a process of its own, and stops it when `measure` is done. A side is opened with a token of its own, which holds for minutes. */
export const withLaptop = async <T>(
  bootSeconds: number,
  measure: (openSide: () => Promise<Side>, pid: number) => Promise<T>,
): Promise<T> => {
  const home = mkdtempSync(join(tmpdir(), 'windlass-bench-'));
  try {
    const child = await startChild(home, bootSeconds);
    const pid = child.pid ?? 0;
    const access = readAccess(home);
    const openSide = async (): Promise<Side> => {
      const { token } = await makeToken(access, systemClock.now());
      const connection = connect({ url: access.server, ca: access.caPem, token });
      return { connection, provider: 'AWS', pids: [pid] };
    };
    return await measure(openSide, pid).finally(() => stopChild(child));
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
};
