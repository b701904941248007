/** Runs an extension that is built with upstream's server, and returns the requests that it has received. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { end, freePorts, lastLines, run } from '../../../infra/cli/conformance/processes.ts';
import { systemClock } from '../../../shared/clock.ts';
import { discover } from '../../../shared/extensions/client.ts';
import { makeHttpsCall } from '../../../shared/extensions/https.ts';
import type { CallExtension } from '../../../shared/extensions/transport.ts';
import type { ExtensionConfig } from '../../../shared/kinds/index.ts';
import { PATIENCE_SECONDS } from '../../../shared/test-patience.ts';
import { makeClusterPems } from '../../../shared/workload/test-server.ts';

const LOOK_MILLISECONDS = 100;

export interface Asked {
  hook: string;
  /** The request as decoded by upstream's Go types. */
  request: Record<string, unknown>;
}

export interface UpstreamExtension {
  config: ExtensionConfig;
  call: CallExtension;
  /** All requests so far. */
  asked(): Asked[];
  /** Sets the responses of blocking hooks from now on. */
  answer(answers: Record<string, { retryAfterSeconds?: number; message?: string }>): void;
  stop(): Promise<void>;
}

/** Starts the program and waits until it responds. */
export const startUpstreamExtension = async (program: string): Promise<UpstreamExtension> => {
  const home = mkdtempSync(join(tmpdir(), 'windlass-extension-'));
  const { ca, server } = await makeClusterPems();
  writeFileSync(join(home, 'tls.crt'), server.certificatePem);
  writeFileSync(join(home, 'tls.key'), server.privateKeyPem, { mode: 0o600 });
  const answers = join(home, 'answers.json');
  writeFileSync(answers, '{}');
  const requests = join(home, 'requests');
  writeFileSync(requests, '');
  const [port] = await freePorts(1);
  const child = run(home, program, ['-port', String(port), '-certificates', home], {
    ANSWERS: answers,
    REQUESTS: requests,
  });
  const config: ExtensionConfig = {
    apiVersion: 'runtime.cluster.x-k8s.io/v1beta2',
    kind: 'ExtensionConfig',
    metadata: { name: 'upstream' },
    spec: {
      clientConfig: {
        url: `https://127.0.0.1:${port}`,
        caBundle: Buffer.from(ca.certificatePem).toString('base64'),
      },
      settings: { region: 'eu-north-1' },
    },
  };
  const call = makeHttpsCall({ deadline: (ms) => AbortSignal.timeout(ms), reach: { loopback: true } });
  const deadline = Date.now() + PATIENCE_SECONDS * 1000;
  for (;;) {
    try {
      await discover(call, config);
      break;
    } catch (error) {
      if (child.exitCode !== null || Date.now() > deadline)
        throw new Error(`the extension is not ready: ${String(error)}\n${lastLines(home, program)}`);
      await systemClock.sleep(LOOK_MILLISECONDS);
    }
  }
  return {
    config,
    call,
    asked: () =>
      readFileSync(requests, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Asked),
    answer: (wanted) => writeFileSync(answers, JSON.stringify(wanted)),
    stop: async () => {
      await end(child);
      rmSync(home, { recursive: true, force: true });
    },
  };
};
