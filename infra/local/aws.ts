/** The simulated AWS of the laptop: all services of an account behind one endpoint. */
import * as ec2 from '@aws-sdk/client-ec2';
import { type Log, silentLog } from '../../shared/log.ts';
import type { Account } from './account.ts';
import { ec2Handlers } from './engines/ec2/handlers.ts';
import { createWireServer, type WireServer, type WireServerOptions } from './engines/wire/server.ts';

export interface AwsOptions {
  account: Account;
  log?: Log;
  /** 0, the default, takes a free port. */
  port?: number;
  /** 127.0.0.1 where left out. */
  host?: string;
  /** Told of every answered call. */
  onCall?: WireServerOptions['onCall'];
}

export interface SimulatedAws {
  /** What AWS_ENDPOINT_URL has to be. */
  readonly url: string;
  /** Further services may be added to it. */
  readonly server: WireServer;
  close(): Promise<void>;
}

/** Serves the account. Rejects where the port is taken. */
export const startAws = async (options: AwsOptions): Promise<SimulatedAws> => {
  const { account, log = silentLog, onCall } = options;
  const { clock, random, gate } = account;
  const server = createWireServer({ clock, random, log, gate, onCall });
  server.add<typeof ec2>(ec2.EC2Client, ec2, (region) => ec2Handlers(account.ec2(region)));
  const url = await server.listen(options.port, options.host);
  return { url, server, close: () => server.close() };
};
