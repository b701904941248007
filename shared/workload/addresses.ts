/**
 * The addresses to which the controllers may connect on a tenant's behalf. A tenant chooses the endpoint of a cluster,
 * but other servers can be reached from the controllers: the runtime's own API on loopback, and credentials at
 * link-local addresses.
 */
import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { ConnectionFault } from './faults.ts';

/** IPv4 ranges, by address and prefix length. */
export type Range = readonly [address: string, prefix: number];

/** IPv4 addresses inside IPv6: mapped ones (RFC 4291), and those that DNS64 returns for NAT64 (RFC 6052). */
const EMBEDDING = ['::ffff:', '64:ff9b::'];
const EMBEDDED_AT = 96;

const LOOPBACK_4: readonly Range[] = [['127.0.0.0', 8]];
const LOOPBACK_6: readonly Range[] = [['::1', 128]];

/**
 * This network, link-local (with the metadata service and Lambda's own addresses), multicast, reserved, and broadcast.
 */
const REFUSED_4: readonly Range[] = [
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/**
 * Unspecified and IPv4-compatible, link-local, AWS's own services (fd00:ec2::254 is the metadata service), multicast;
 * then ranges that embed IPv4 addresses in other ways and never contain API servers: Teredo, local NAT64 and 6to4.
 */
const REFUSED_6: readonly Range[] = [
  ['::', 96],
  ['fe80::', 10],
  ['fd00:ec2::', 32],
  ['ff00::', 8],
  ['2001::', 32],
  ['64:ff9b:1::', 48],
  ['2002::', 16],
];

const listOf = (ranges4: readonly Range[], ranges6: readonly Range[]): BlockList => {
  const list = new BlockList();
  for (const [address, prefix] of ranges4) {
    list.addSubnet(address, prefix, 'ipv4');
    for (const before of EMBEDDING) list.addSubnet(`${before}${address}`, EMBEDDED_AT + prefix, 'ipv6');
  }
  for (const [address, prefix] of ranges6) list.addSubnet(address, prefix, 'ipv6');
  return list;
};

const REFUSED = listOf(REFUSED_4, REFUSED_6);
const LOOPBACK = listOf(LOOPBACK_4, LOOPBACK_6);

export interface Reach {
  /** Whether clusters may run on this computer: only true on a laptop. */
  loopback: boolean;
}

/** Why no connection to an IP address is allowed; undefined if it is allowed. */
export const refusedAddress = (address: string, { loopback }: Reach): string | undefined => {
  const family = isIP(address);
  // Only link-local addresses have a zone.
  if (family === 0 || address.includes('%')) return 'is a link-local address';
  const type = family === 4 ? 'ipv4' : 'ipv6';
  if (LOOPBACK.check(address, type)) return loopback ? undefined : 'is a loopback address';
  return REFUSED.check(address, type) ? 'is a link-local, metadata or other special address' : undefined;
};

/** The addresses of a name; rejects if it has none. */
export type Resolve = (host: string) => Promise<LookupAddress[]>;

/**
 * Queries the name servers without the four threads that all other lookups of the process share, because a tenant's
 * name servers may never answer.
 */
const askNameServers: Resolve = async (host) => {
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  if (four.status === 'rejected' && six.status === 'rejected') throw four.reason;
  return [
    ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
    ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
  ];
};

/** A laptop has additional names, from files and from its network. */
const askSystem: Resolve = (host) => lookup(host, { all: true });

/**
 * A `lookup` for sockets that refuses names that resolve to refused addresses. It checks the same answer that the
 * socket uses, so a name that resolves differently the second time gains nothing. Sockets do not look up IP addresses:
 * check such a host with `refusedAddress`.
 */
export const guardedLookup =
  (reach: Reach, resolve: Resolve = reach.loopback ? askSystem : askNameServers): LookupFunction =>
  (host, options, answer) => {
    const judge = (addresses: LookupAddress[]): void => {
      const [first] = addresses;
      const why = addresses.map(({ address }) => refusedAddress(address, reach)).find(Boolean);
      const said = why && `its name resolves to an address that ${why}; Windlass does not connect to such addresses`;
      if (said || !first) answer(new ConnectionFault(said ?? 'its name has no address'), '', 0);
      else if (options.all) answer(null, addresses);
      else answer(null, first.address, first.family);
    };
    resolve(host).then(judge, (error: NodeJS.ErrnoException) => answer(error, '', 0));
  };
