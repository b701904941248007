/** An empty AWS account on this computer, which is reached at AWS's own addresses. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../../../infra/cli/conformance/processes.ts';
import { ROOT } from '../../../infra/cli/paths.ts';
import { MINISTACK } from '../aws/completions/ministack.ts';
import { startEmulator } from '../aws/emulator.ts';
import { type RecordedCall, startRelay } from '../aws/relay.ts';
import { GAPS } from './completions.ts';
import { type Answer, startInternet } from './internet.ts';

const SERVICES = [
  ...[
    'apigateway',
    'cloudformation',
    'dynamodb',
    'ec2',
    'ecr',
    'elasticloadbalancing',
    'events',
    'iam',
    'kms',
    'lambda',
  ],
  ...['logs', 'monitoring', 's3', 'secretsmanager', 'servicequotas', 'sns', 'sqs', 'ssm', 'states', 'sts'],
];

export interface EmptyAccount {
  /** The endpoint for programs that support AWS_ENDPOINT_URL. */
  url: string;
  /** For all other programs: a proxy, and the authority that they must trust. */
  proxy: { url: string; caPem: string };
  calls: readonly RecordedCall[];
  close(): Promise<void>;
}

/** Forwards requests to API Gateway under the host name that ministack uses, and all other requests to the relay. */
const passOn =
  (emulator: URL, relay: URL): Answer =>
  (incoming, outgoing) => {
    const [name = '', service] = (incoming.headers.host ?? '').split('.');
    const isApi = service === 'execute-api';
    const host = isApi ? `${name}.execute-api.localhost:${emulator.port}` : incoming.headers.host;
    const { hostname, port } = isApi ? emulator : relay;
    const { method, url: path, headers } = incoming;
    const call = httpRequest({ hostname, port, method, path, headers: { ...headers, host } }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    call.on('error', () => outgoing.destroy());
    outgoing.on('close', () => call.destroy());
    incoming.pipe(call);
  };

/**
 * Creates a directory with a program `node`, which runs the project's Node after loading buffered-streams.ts.
 * NODE_OPTIONS cannot load it, because functions may set it themselves.
 */
const nodeWithStreams = (): string => {
  const directory = mkdtempSync(join(tmpdir(), 'windlass-node-'));
  const streams = join(import.meta.dirname, 'buffered-streams.ts');
  writeFileSync(join(directory, 'node'), `#!/bin/sh\nexec '${process.execPath}' --import '${streams}' "$@"\n`, {
    mode: 0o755,
  });
  return directory;
};

/** Starts ministack. It runs functions in processes of the project's Node. */
export const startAccount = async (program: string, region: string): Promise<EmptyAccount> => {
  const [port = 0] = await freePorts(1);
  const endpoint = `http://127.0.0.1:${port}`;
  const relay = await startRelay(endpoint, [...GAPS, ...MINISTACK], SERVICES);
  const environment = {
    AWS_ENDPOINT_URL: relay.url,
    PATH: `${nodeWithStreams()}:${join(ROOT, 'node_modules', '.bin')}:${process.env.PATH}`,
  };
  const emulator = await startEmulator('ministack', program, { port, environment });
  const domain = `${region}.amazonaws.com`;
  const answer = passOn(new URL(endpoint), new URL(relay.url));
  const internet = await startInternet([`*.execute-api.${domain}`, `sts.${domain}`], answer);
  const close = async (): Promise<void> => {
    internet.close();
    await emulator.stop();
    await relay.close();
  };
  return { url: relay.url, proxy: internet, calls: relay.calls, close };
};
