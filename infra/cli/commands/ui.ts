import { randomBytes } from 'node:crypto';
import { type ContextOptions, readKubeconfig } from '../api/kubeconfig-client.ts';
import { readPrices } from '../prices.ts';
import { makeApp, type Settings } from '../ui/server/app.ts';
import { listenOnLoopback } from '../ui/server/listen.ts';
import { loadPage } from '../ui/server/page-files.ts';
import { makeUpstream } from '../ui/server/upstream.ts';
import { untilInterrupted } from './interrupt.ts';

export interface UiOptions extends ContextOptions {
  /** 0 selects a free port. */
  port: number;
  write: boolean;
  /** A file of prices. */
  prices?: string;
}

const TOKEN_BYTES = 24;

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((done) => signal.addEventListener('abort', () => done(), { once: true }));

/** Serves the page of the clusters on 127.0.0.1 until Ctrl-C, and prints its address. */
export const ui = async ({ port, write, prices, ...connection }: UiOptions): Promise<number> => {
  const config = readKubeconfig(connection);
  const settings: Settings = {
    context: config.getCurrentContext(),
    server: config.getCurrentCluster()?.server ?? '',
    namespace: connection.namespace,
    canWrite: write,
    prices: readPrices(prices),
  };
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const options = { settings, token, upstream: makeUpstream(config), ...(await loadPage()) };
  const server = await listenOnLoopback({
    port,
    makeFetch: (found) => {
      const app = makeApp({ ...options, port: found });
      return (request) => app.fetch(request);
    },
  });
  const signal = untilInterrupted();
  const mode = write ? 'Edits are allowed' : 'It is read-only';
  process.stdout.write(
    `The clusters of ${settings.server} are at\n\n  http://127.0.0.1:${server.port}/?token=${token}\n\n` +
      `The web UI has your credentials: keep this address to yourself. ${mode}. Ctrl-C ends it.\n`,
  );
  await untilAborted(signal);
  server.close();
  return 0;
};
