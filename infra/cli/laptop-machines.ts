/** The simulated machines of the laptop. They are found through the EC2 API, at any endpoint. */
import { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { EC2Client } from '@aws-sdk/client-ec2';
import {
  ElasticLoadBalancingV2Client,
  type ElasticLoadBalancingV2ClientConfig,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { S3Client } from '@aws-sdk/client-s3';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SSMClient } from '@aws-sdk/client-ssm';
import { systemClock } from '../../shared/clock.ts';
import type { Log } from '../../shared/log.ts';
import { systemRandom } from '../../shared/random.ts';
import type { Account } from '../local/account.ts';
import type { DataPlaneRegistry } from '../local/engines/elbv2/data-plane.ts';
import type { Credentials } from '../local/engines/sts/principals.ts';
import type { directTo } from '../local/engines/wire/direct.ts';
import { shelfOf, type Vault } from '../local/keep/vault.ts';
import { followLoadBalancers } from '../local/load-balancers/follow.ts';
import { createFleet, type Fleet } from '../local/machines/fleet.ts';
import type { Internet } from '../local/machines/ports.ts';

/** How often simulated machines poll: the account, and the results for which kubeadm waits. A user is watching. */
export const QUICK = { pollMilliseconds: 150, retryMilliseconds: 150 };

/** Other endpoints answer one request at a time and take longer: more frequent polls would keep them busy. */
const PATIENT = { pollMilliseconds: 500, retryMilliseconds: 300 };

const LOAD_BALANCER_POLL_MILLISECONDS = 500;

export interface MachinesOptions {
  bootMilliseconds: number;
  /** True if instances are only listed, and none of them boots. */
  withoutMachines?: boolean;
  /** Another AWS endpoint, instead of the simulated account. */
  otherAws?: string;
  log: Log;
}

export type Machines = ReturnType<typeof makeMachines>;

interface MachinesPlace {
  accountId: string;
  endpoint: string;
  credentials: Credentials;
  /** Leads directly to the endpoint; clients in this process need no sockets. */
  requestHandler: ReturnType<typeof directTo>;
  bus: Account['bus'];
}

/** The simulated EC2 reports each change of an instance; other endpoints report none. */
const newsOf =
  ({ bus }: MachinesPlace, region: string) =>
  (ring: () => void) =>
    bus.listen((event) => {
      if (event.source === 'aws.ec2' && event.region === region) ring();
    });

/** Simulated machines in each region that was passed to `follow`, until they are closed. */
export const makeMachines = (options: MachinesOptions, dataPlane: DataPlaneRegistry, vault?: Vault) => {
  const { bootMilliseconds } = options;
  const log = options.log.with({ part: 'machines' });
  let internet: Internet = () => undefined;
  const reached: Internet = (host) => internet(host);
  const settings = { clock: systemClock, random: systemRandom, dataPlane, bootMilliseconds, internet: reached, log };
  const ended = new AbortController();
  /** The fleets by account and region. */
  const fleets = new Map<string, { fleet: Fleet; running: Promise<unknown> }>();
  /** The simulated account carries the connections itself; another endpoint does not know the machines. */
  const loadBalancers = async (client: ElasticLoadBalancingV2ClientConfig) => {
    if (options.otherAws === undefined) return;
    const follow = { client: new ElasticLoadBalancingV2Client(client), dataPlane, clock: systemClock, log };
    await followLoadBalancers({ ...follow, pollMilliseconds: LOAD_BALANCER_POLL_MILLISECONDS }, ended.signal);
  };
  return {
    follow: (region: string, at: MachinesPlace): void => {
      const { accountId, endpoint, credentials, requestHandler } = at;
      const place = `${accountId}/${region}`;
      if (options.withoutMachines || fleets.has(place)) return;
      const client = { region, endpoint, credentials, requestHandler };
      const stores = {
        secretsManager: new SecretsManagerClient(client),
        ssm: new SSMClient(client),
        s3: new S3Client(client),
      };
      const pace = options.otherAws === undefined ? { ...QUICK, onNews: newsOf(at, region) } : PATIENT;
      const fleet = createFleet({
        ...settings,
        ...pace,
        ec2: new EC2Client(client),
        autoScaling: new AutoScalingClient(client),
        ...stores,
        vault: vault && shelfOf(vault, `machines/${place}/`),
      });
      fleets.set(place, { fleet, running: Promise.all([fleet.run(ended.signal), loadBalancers(client)]) });
    },
    /** From now on, machines reach these servers by their public names. */
    reach: (servers: Internet): void => {
      internet = servers;
    },
    /** The clusters that the machines have formed. */
    clusters: () => [...fleets.values()].flatMap(({ fleet }) => fleet.clusters()),
    consoleOf: (instanceId: string): readonly string[] =>
      [...fleets.values()].flatMap(({ fleet }) => fleet.console(instanceId)),
    close: async (): Promise<void> => {
      ended.abort();
      await Promise.all([...fleets.values()].map(({ running }) => running));
      await Promise.all([...fleets.values()].map(({ fleet }) => fleet.close()));
    },
  };
};
