import { afterEach, beforeEach } from 'vitest';
import { jsonLog } from '../../../../shared/log.ts';
import { makeHandClock, makeSeededRandom } from '../../test-aws.ts';
import { createWireServer, type WireServer } from './server.ts';

/** For tests only: a wire server, fresh before each test of a file. */
export interface TestWire {
  readonly server: WireServer;
  readonly url: string;
  /** What it has logged. */
  readonly lines: string[];
}

export const useTestWire = (): TestWire => {
  let wire: TestWire;
  beforeEach(async () => {
    const lines: string[] = [];
    const log = jsonLog((line) => lines.push(line));
    const server = createWireServer({ clock: makeHandClock(), random: makeSeededRandom('wire'), log });
    wire = { server, url: await server.listen(), lines };
  });
  afterEach(() => wire.server.close());
  return {
    get server() {
      return wire.server;
    },
    get url() {
      return wire.url;
    },
    get lines() {
      return wire.lines;
    },
  };
};

/** Of a client that finds the server there. */
export const clientConfig = (endpoint: string) => ({
  endpoint,
  region: 'eu-central-1',
  credentials: { accessKeyId: 'AKLOCAL', secretAccessKey: 'x' },
  maxAttempts: 1,
});
