/** The simulated AWS of the laptop: all services of an account behind one endpoint. */
import * as autoscaling from '@aws-sdk/client-auto-scaling';
import * as ec2 from '@aws-sdk/client-ec2';
import * as classic from '@aws-sdk/client-elastic-load-balancing';
import * as elb from '@aws-sdk/client-elastic-load-balancing-v2';
import * as iam from '@aws-sdk/client-iam';
import * as kms from '@aws-sdk/client-kms';
import * as secrets from '@aws-sdk/client-secrets-manager';
import * as quotas from '@aws-sdk/client-service-quotas';
import * as ssm from '@aws-sdk/client-ssm';
import * as sts from '@aws-sdk/client-sts';
import { type Log, silentLog } from '../../shared/log.ts';
import type { Account } from './account.ts';
import { autoScalingHandlers } from './engines/autoscaling/handlers.ts';
import { trailEvent } from './engines/cloud-trail/trail.ts';
import { ec2Handlers } from './engines/ec2/handlers.ts';
import type { ConsoleOf } from './engines/ec2/instances/console.ts';
import { classicElbHandlers } from './engines/elb/handlers.ts';
import { makeDataPath, makePaperDataPath } from './engines/elbv2/data-path.ts';
import type { DataPlane } from './engines/elbv2/data-plane.ts';
import { elbHandlers } from './engines/elbv2/handlers.ts';
import type { Elb } from './engines/elbv2/state.ts';
import { fisForward } from './engines/fis/forward.ts';
import { iamHandlers } from './engines/iam/handlers.ts';
import { kmsHandlers } from './engines/kms/handlers.ts';
import { s3Forward } from './engines/s3/forward.ts';
import { xmlFault } from './engines/s3/xml.ts';
import { secretsManagerHandlers } from './engines/secrets-manager/handlers.ts';
import { serviceQuotasHandlers } from './engines/service-quotas/handlers.ts';
import { ssmHandlers } from './engines/ssm/handlers.ts';
import { stsHandlers } from './engines/sts/handlers.ts';
import type { Gate } from './engines/wire/dispatch.ts';
import { createWireServer, type WireServer, type WireServerOptions } from './engines/wire/server.ts';

export interface AwsOptions {
  account: Account;
  /** Finds the simulated machine that answers a port. */
  dataPlane: DataPlane;
  /** The console output of simulated machines; without it, there is none. */
  consoleOf?: ConsoleOf;
  /** False if load balancers open no sockets, as in unit tests; then every target on the data plane is healthy. */
  bindListeners?: boolean;
  log?: Log;
  /** The port; 0, the default, selects a free one. */
  port?: number;
  /** The host; 127.0.0.1 if omitted. */
  host?: string;
  /** Called for every call before it has any effect. */
  onRequest?: WireServerOptions['onRequest'];
  /** Whether a trail of each account reports mutating calls to its event bus. */
  hasTrail?: boolean;
  /** Load balancers of an earlier start, whose listeners must be opened again. */
  reopened?: readonly Elb[];
  /** Called for every answered call. */
  onCall?: WireServerOptions['onCall'];
}

export interface SimulatedAws {
  /** The value for AWS_ENDPOINT_URL. */
  readonly url: string;
  /** More services may be added to the server. */
  readonly server: WireServer;
  close(): Promise<void>;
}

/** Serves the account. Rejects if the port is in use. */
export const startAws = async (options: AwsOptions): Promise<SimulatedAws> => {
  const { account, dataPlane, log = silentLog, onRequest, hasTrail = false, bindListeners = true } = options;
  const { clock, random } = account;
  const accountOf = (accessKeyId: string): string => account.accountOf(accessKeyId).accountId;
  const of = (accountId: string): Account => account.spokes.get(accountId) ?? account;
  const gate: Gate = {
    before: (call, input) => account.accountOf(call.accessKeyId).gate.before(call, input),
    after: (call) => account.accountOf(call.accessKeyId).gate.after(call),
  };
  const onCall: WireServerOptions['onCall'] = (call, code, exchange) => {
    options.onCall?.(call, code, exchange);
    if (!hasTrail) return;
    const owner = account.accountOf(call.accessKeyId);
    const event = trailEvent(owner, { call, code, ...exchange });
    if (event) owner.bus.put(event);
  };
  const server = createWireServer({ clock, random, log, gate, onRequest, onCall, accountOf });
  const dataPath = bindListeners ? makeDataPath(dataPlane, log) : makePaperDataPath(dataPlane);
  account.balancing.dataPath = dataPath;
  for (const elb of options.reopened ?? [])
    for (const listener of elb.listeners.values()) dataPath.listenerAdded(elb, listener);
  server.add<typeof ec2>(ec2.EC2Client, ec2, (region, id) => ec2Handlers(of(id).ec2(region), options.consoleOf));
  server.add<typeof elb>(elb.ElasticLoadBalancingV2Client, elb, (region, id) =>
    elbHandlers(of(id).elbv2(region), dataPath),
  );
  server.add<typeof classic>(classic.ElasticLoadBalancingClient, classic, (region, id) =>
    classicElbHandlers(of(id).elb(region), dataPath),
  );
  server.add<typeof autoscaling>(autoscaling.AutoScalingClient, autoscaling, (region, id) =>
    autoScalingHandlers(of(id).autoscaling(region)),
  );
  server.add<typeof iam>(iam.IAMClient, iam, (region, id) => iamHandlers({ ...of(id), region }, of(id).settings));
  server.add<typeof quotas>(quotas.ServiceQuotasClient, quotas, (_region, id) =>
    serviceQuotasHandlers(of(id).settings),
  );
  server.add<typeof kms>(kms.KMSClient, kms, (region, id) => kmsHandlers(of(id).kms(region)));
  server.add<typeof secrets>(secrets.SecretsManagerClient, secrets, (region, id) =>
    secretsManagerHandlers(of(id).secrets(region)),
  );
  server.add<typeof ssm>(ssm.SSMClient, ssm, (region, id) => ssmHandlers(of(id).ssm(region)));
  server.add<typeof sts>(sts.STSClient, sts, (region) =>
    stsHandlers({ ...account, region }, account.principals, account),
  );
  server.forward('s3', (request) => s3Forward(account.accountOf(request.scope.accessKeyId).s3)(request), xmlFault);
  server.forward('fis', fisForward(account.fis));
  const url = await server.listen(options.port, options.host);
  return {
    url,
    server,
    close: () => {
      dataPath.close();
      return server.close();
    },
  };
};
