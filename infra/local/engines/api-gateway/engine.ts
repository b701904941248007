import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../../../../shared/clock.ts';
import type { Log } from '../../../../shared/log.ts';
import type { Random } from '../../../../shared/random.ts';
import { closing } from '../../closing.ts';
import type { Engine } from '../../engine.ts';
import type { Target } from '../../template.ts';
import type { ChunkReader } from '../lambda/pending.ts';
import { serverCertificate } from './certificates.ts';
import { makeGateway } from './gateway.ts';
import { API_ID, type ApiParts, collect, KNOWN, noParts } from './parts.ts';
import { makeRefusals } from './refusals.ts';
import { makeRouter } from './routes.ts';

export interface ApiGatewayOptions {
  target: Target;
  /** 0 selects a free port. */
  port: number;
  /** The directory in which the certificate authority is kept between starts. */
  tlsDirectory: string;
  invoke(functionArn: string, event: unknown): Promise<unknown>;
  stream(functionArn: string, event: unknown, reader: ChunkReader, signal: AbortSignal): Promise<void>;
  clock: Clock;
  random: Random;
  log: Log;
}

export interface ApiGatewayEngine extends Engine {
  /** The address of the stage, without a trailing slash. Available after the start. */
  url(): string;
  /** The authority that clients must trust. Available after the start. */
  caPem(): string;
}

/** If the port is in use, the message says what to do. */
const explained = (error: NodeJS.ErrnoException, port: number): Error =>
  error.code === 'EADDRINUSE' ? new Error(`port ${port} is in use: is another npm start running?`) : error;

interface Listening {
  url: string;
  caPem: string;
  close(): Promise<void>;
}

/**
 * The milliseconds for which an idle connection stays open, as at API Gateway: no client keeps one longer. If the
 * server closed it first, a request in progress would be reset.
 */
const IDLE_MILLISECONDS = 350_000;

/** Serves the stage that the parts describe. */
const listen = async (parts: ApiParts, options: ApiGatewayOptions): Promise<Listening> => {
  const { stage } = parts;
  const { region, urlSuffix } = options.target;
  const publicName = `${API_ID}.execute-api.${region}.${urlSuffix}`;
  const tls = await serverCertificate(options.tlsDirectory, options, [publicName]);
  const gateway = makeGateway({
    ...options.target,
    ...options,
    ...parts,
    apiId: API_ID,
    route: makeRouter(parts.methods, parts.paths),
    refuse: makeRefusals(parts.answers),
  });
  const server = createServer({ key: tls.privateKeyPem, cert: tls.certificatePem }, gateway);
  server.keepAliveTimeout = IDLE_MILLISECONDS;
  const close = closing(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(explained(error, options.port)));
    server.listen(options.port, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  options.log.info('the Kubernetes API listens', { port });
  return { url: `https://127.0.0.1:${port}/${stage}`, caPem: tls.caPem, close };
};

/** A regional REST API with one stage, over TLS on 127.0.0.1. */
export const apiGatewayEngine = (options: ApiGatewayOptions): ApiGatewayEngine => {
  const parts = noParts();
  let listening: Listening | undefined;

  const open = (): Listening => {
    if (listening === undefined) throw new Error('the API does not listen');
    return listening;
  };

  return {
    types: Object.keys(KNOWN),
    create: (resource) => collect(parts, resource, options),
    start: async () => {
      listening = await listen(parts, options);
    },
    stop: async () => {
      await listening?.close();
      listening = undefined;
    },
    url: () => open().url,
    caPem: () => open().caPem,
  };
};
