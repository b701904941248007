/** The complete state of the simulated EC2 of one region. */
import type { EventBus } from '../events/bus.ts';
import { type Place, randomHex } from '../wire/place.ts';
import { KINDS, type Kind } from './kinds.ts';
import type * as records from './records.ts';
import type { Ec2Settings } from './settings.ts';
import { makeTable, type Resource, type Table } from './table.ts';
import { momentAt } from './timeline.ts';

/** A RunInstances call that a client token made repeatable. */
export interface Launch {
  readonly fingerprint: string;
  readonly reservationId: string;
  readonly instanceIds: readonly string[];
}

/** A call that a client token made repeatable, and the launch template or version that it created. */
export interface TemplateToken {
  readonly fingerprint: string;
  readonly templateId: string;
  readonly version: number;
}

export interface Ec2 {
  readonly place: Place;
  readonly settings: Ec2Settings;
  /** The bus to which EC2 reports changes of its instances. */
  readonly bus: EventBus;
  readonly vpcs: Table<records.Vpc>;
  readonly dhcpOptions: Table<records.DhcpOptions>;
  readonly subnets: Table<records.Subnet>;
  readonly internetGateways: Table<records.InternetGateway>;
  readonly egressOnlyGateways: Table<records.EgressOnlyGateway>;
  readonly carrierGateways: Table<records.CarrierGateway>;
  readonly vpcEndpoints: Table<records.VpcEndpoint>;
  readonly natGateways: Table<records.NatGateway>;
  readonly addresses: Table<records.Address>;
  readonly routeTables: Table<records.RouteTable>;
  readonly securityGroups: Table<records.SecurityGroup>;
  readonly securityGroupRules: Table<records.SecurityGroupRule>;
  readonly networkInterfaces: Table<records.NetworkInterface>;
  readonly instances: Table<records.Instance>;
  readonly volumes: Table<records.Volume>;
  readonly dedicatedHosts: Table<records.DedicatedHost>;
  readonly keyPairs: Table<records.KeyPair>;
  /** The account's own images. */
  readonly images: Table<records.OwnImage>;
  readonly launchTemplates: Table<records.LaunchTemplate>;
  /** The results of client tokens for launch templates and their versions. */
  readonly templateTokens: Map<string, TemplateToken>;
  /** The ids of volumes, by the client tokens that created them. */
  readonly volumeTokens: Map<string, string>;
  readonly launches: Map<string, Launch>;
  /** Groups of local and wavelength zones that the account has opted in to. */
  readonly optedIn: Set<string>;
  /** The numbers of created resources and of assigned addresses. */
  readonly counters: { sequence: number; publicIps: number };
  /** Milliseconds since the epoch on the account's clock. */
  now(): number;
  /** A new id such as `vpc-0123456789abcdef0`. */
  newId(prefix: string): string;
  /** The common fields of a new resource. */
  born(kind: Kind, tags?: ReadonlyMap<string, string>): Resource;
  /** A new IPv4 address in a range that is never routed. */
  newPublicIp(): string;
}

const released = (row: { readonly releasedAt: number | undefined }, now: number): boolean =>
  row.releasedAt !== undefined && row.releasedAt <= now;

/** An empty region; `addDefaultNetwork` adds the network of a new account. */
export const createEc2 = (place: Place, settings: Ec2Settings, bus: EventBus): Ec2 => {
  const now = () => place.clock.now().getTime();
  const wasLong = (at: number, at2: number) => at2 - at > settings.remembranceMilliseconds;
  const table = <Row extends Resource>(kind: Kind, isForgotten?: (row: Row, at: number) => boolean) =>
    makeTable<Row>({ kind, now, isForgotten });
  const inVpcs = <Row extends Resource & { readonly vpcId: string }>(kind: Kind) =>
    makeTable<Row>({ kind, now, owner: { filter: 'vpc-id', of: ({ vpcId }) => vpcId } });
  const newId = (prefix: string) => `${prefix}-0${randomHex(place.random, 16)}`;
  const counters = { sequence: 0, publicIps: 0 };

  const lag = (): number => {
    if (settings.consistencyMilliseconds === 0) return 0;
    const [byte = 0] = place.random.bytes(1);
    return Math.ceil((byte / 255) * settings.consistencyMilliseconds);
  };

  return {
    place,
    settings,
    bus,
    vpcs: table(KINDS.vpc),
    dhcpOptions: table(KINDS.dhcpOptions),
    subnets: inVpcs(KINDS.subnet),
    internetGateways: table(KINDS.internetGateway),
    egressOnlyGateways: table(KINDS.egressOnlyGateway),
    carrierGateways: table(KINDS.carrierGateway),
    vpcEndpoints: table(KINDS.vpcEndpoint),
    optedIn: new Set(),
    counters,
    natGateways: makeTable<records.NatGateway>({
      ...{ kind: KINDS.natGateway, now },
      isForgotten: ({ timeline }, at) => {
        const last = momentAt(timeline, at);
        return (last.state === 'deleted' || last.state === 'failed') && wasLong(last.at, at);
      },
      owner: { of: ({ allocationId }) => allocationId ?? '' },
    }),
    addresses: table(KINDS.address),
    routeTables: inVpcs(KINDS.routeTable),
    securityGroups: inVpcs(KINDS.securityGroup),
    securityGroupRules: makeTable<records.SecurityGroupRule>({
      ...{ kind: KINDS.securityGroupRule, now },
      owner: { filter: 'group-id', of: ({ groupId }) => groupId },
    }),
    networkInterfaces: makeTable<records.NetworkInterface>({
      ...{ kind: KINDS.networkInterface, now, isForgotten: released },
      owner: { filter: 'subnet-id', of: ({ subnetId }) => subnetId },
    }),
    instances: table<records.Instance>(KINDS.instance, ({ timeline }, at) => {
      const last = momentAt(timeline, at);
      return last.state === 'terminated' && wasLong(last.at, at);
    }),
    volumes: makeTable<records.Volume>({
      ...{ kind: KINDS.volume, now, isForgotten: released },
      owner: { of: ({ instanceId }) => instanceId ?? '' },
    }),
    dedicatedHosts: table(KINDS.dedicatedHost),
    keyPairs: table(KINDS.keyPair),
    images: table(KINDS.image),
    launchTemplates: table(KINDS.launchTemplate),
    templateTokens: new Map(),
    volumeTokens: new Map(),
    launches: new Map(),
    now,
    newId,
    born: (kind, tags) => {
      counters.sequence += 1;
      const at = now();
      const { sequence } = counters;
      return { id: newId(kind.prefix), createdAt: at, visibleAt: at + lag(), sequence, tags: new Map(tags) };
    },
    newPublicIp: () => {
      const publicIps = (counters.publicIps + 1) % 65_536;
      counters.publicIps = publicIps;
      return `198.18.${publicIps >> 8}.${publicIps & 255}`;
    },
  };
};
