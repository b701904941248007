/** `npm start` as one of the two systems that are compared. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../../shared/clock.ts';
import type { Access } from '../../kubeconfig/kubeconfig.ts';
import { makeToken } from '../../kubeconfig/token.ts';
import { readAccess, startChild, stopChild } from '../child.ts';
import { connect } from '../connection.ts';
import type { Side } from './play.ts';

/** Tokens are valid for a quarter of an hour, and many clusters may take longer. */
const TOKEN_MILLISECONDS = 5 * 60_000;

const tokensOf = (access: Access): (() => Promise<string>) => {
  let known: { token: string; at: number } | undefined;
  return async () => {
    if (!known || performance.now() - known.at > TOKEN_MILLISECONDS) {
      const { token } = await makeToken(access, systemClock.now());
      known = { token, at: performance.now() };
    }
    return known.token;
  };
};

/** Runs it in a separate process, and stops it when `measure` is done. */
export const withLaptop = async <T>(bootSeconds: number, measure: (openSide: () => Side) => Promise<T>): Promise<T> => {
  const home = mkdtempSync(join(tmpdir(), 'windlass-bench-'));
  try {
    const child = await startChild(home, bootSeconds);
    const pid = child.pid ?? 0;
    const access = readAccess(home);
    const openSide = (): Side => {
      const connection = connect({ url: access.server, ca: access.caPem, token: tokensOf(access) });
      return { connection, provider: 'AWS', pids: [pid] };
    };
    return await measure(openSide).finally(() => stopChild(child));
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
};
