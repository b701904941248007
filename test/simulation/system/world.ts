/** The complete system in one process: the laptop with everything that it runs, and access to its API. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Laptop, startLaptop } from '../../../infra/cli/laptop.ts';
import type { Account } from '../../../infra/local/account.ts';
import type { AwsOptions } from '../../../infra/local/aws.ts';
import { FunctionError } from '../../../infra/local/engines/lambda/failure.ts';
import type { Invoker } from '../../../infra/local/engines/lambda/invoker.ts';
import { silentLog } from '../../../shared/log.ts';
import type { Aws } from './direct.ts';
import { deploy } from './faults/deployment.ts';
import { makeHost, type Told } from './functions.ts';

const BOOT_MILLISECONDS = 30_000;

/** Ten times that of a laptop, because nobody waits here, and health checks are most of the work in a quiet cluster. */
const ELB_TIME_SCALE = 0.2;

/** API Gateway's response if a function has failed. */
const BAD_GATEWAY = 502;

export interface Answer {
  code: number;
  body: Record<string, unknown>;
}

/** The sender of a request, as the authorizer reports it. */
export interface Identity {
  userName: string;
  groups: readonly string[];
}

const ADMINISTRATOR: Identity = { userName: 'user', groups: ['system:masters'] };

export interface World {
  laptop: Laptop;
  /** The account of the clusters. */
  account: Account;
  /** Sends a request to the Kubernetes API, as API Gateway passes it to the function. */
  ask(method: string, path: string, body?: unknown, contentType?: string, as?: Identity): Promise<Answer>;
  /** Deploys `outdir` over `former`, one resource after the other. */
  deploy(wait: (milliseconds: number) => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

const PRELUDE_END = '\0'.repeat(8);

const answerOf = (chunks: readonly Uint8Array[]): Answer => {
  const text = Buffer.concat(chunks).toString();
  const end = text.indexOf(PRELUDE_END);
  const { statusCode } = JSON.parse(text.slice(0, end)) as { statusCode: number };
  const body = text.slice(end + PRELUDE_END.length);
  return {
    code: statusCode,
    body: body.startsWith('{') ? (JSON.parse(body) as Record<string, unknown>) : { text: body },
  };
};

const proxyEvent = (method: string, path: string, body: unknown, contentType: string, as: Identity) => {
  const url = new URL(path, 'https://api');
  const query = [...new Set(url.searchParams.keys())].map((name) => [name, url.searchParams.getAll(name)]);
  return {
    httpMethod: method,
    path: url.pathname,
    headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': contentType }) },
    multiValueQueryStringParameters: query.length === 0 ? null : Object.fromEntries(query),
    body: body === undefined ? null : JSON.stringify(body),
    isBase64Encoded: false,
    requestContext: {
      domainName: 'api',
      identity: { sourceIp: '192.0.2.1' },
      authorizer: { principalId: as.userName, userName: as.userName, groups: as.groups.join() },
    },
  };
};

export interface WorldOptions {
  /** The cloud assembly. */
  outdir: string;
  /** The cloud assembly of the former version; if given, the lifecycle starts with it. */
  former?: string | undefined;
  told: Told;
  calls: Pick<AwsOptions, 'onRequest' | 'onCall'>;
  /** Wraps the simulated AWS that functions call. */
  through(aws: Aws): Aws;
  onFunctionLog(name: string, text: string): void;
  /** The account of the clusters; by default the account of the functions. */
  accountId?: string | undefined;
}

export const startWorld = async (options: WorldOptions): Promise<World> => {
  const { outdir, former, told, calls, through, onFunctionLog } = options;
  const host = makeHost(told, through);
  let invoker: Invoker | undefined;
  // The next lifecycle must not find the files of the previous one.
  const tlsDirectory = mkdtempSync(join(tmpdir(), 'windlass-simulation-'));
  const laptop = await startLaptop({
    outdir: former ?? outdir,
    port: 0,
    bootMilliseconds: BOOT_MILLISECONDS,
    tlsDirectory,
    log: silentLog,
    onFunctionLog,
    calls,
    host: (...given) => {
      invoker = host.makeInvoker(...given);
      return invoker;
    },
  });
  const account = laptop.account.spokes.get(options.accountId ?? '') ?? laptop.account;
  account.settings.elbTimeScale = ELB_TIME_SCALE;
  return {
    ...{ laptop, account },
    deploy: (wait) => {
      const seed = account.clock.now().getTime();
      return deploy({ outdir, former: former ?? outdir, runtime: laptop.runtime, update: host.update, wait, seed });
    },
    stop: async () => {
      await laptop.stop();
      rmSync(tlsDirectory, { recursive: true });
    },
    ask: async (method, path, body, contentType = 'application/json', as = ADMINISTRATOR) => {
      const chunks: Uint8Array[] = [];
      const event = proxyEvent(method, path, body, contentType, as);
      try {
        await invoker?.stream('Windlass-api', event, { chunk: (bytes) => void chunks.push(bytes) });
      } catch (error) {
        if (error instanceof FunctionError) return { code: BAD_GATEWAY, body: {} };
        throw error;
      }
      return answerOf(chunks);
    },
  };
};
