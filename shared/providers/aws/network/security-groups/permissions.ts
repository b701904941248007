import { canonicalCidr, cidrOf, formatCidr } from '../../../../cidr.ts';
import type { IngressPermission } from './model.ts';

/** EC2 stores these protocols by name. `all` is only a name in tools, which send -1 for it. */
const PROTOCOL_NAMES: ReadonlyMap<string, string> = new Map([
  ['1', 'icmp'],
  ['6', 'tcp'],
  ['17', 'udp'],
  ['58', 'icmpv6'],
  ['all', '-1'],
]);

const ALL_PORTS = { fromPort: 0, toPort: 65_535 };
const ALL_TYPES = { fromPort: -1, toPort: -1 };

type Ports = Pick<IngressPermission, 'fromPort' | 'toPort'>;

const isAll = ({ fromPort = -1, toPort = -1 }: Ports): boolean => fromPort === -1 && toPort === -1;

/** No ports if the protocol has none. For TCP and UDP, -1 means all ports. */
const canonicalPorts = (protocol: string, { fromPort, toPort }: Ports): Ports => {
  const ports = { fromPort, toPort };
  if (protocol === 'tcp' || protocol === 'udp') return isAll(ports) ? ALL_PORTS : ports;
  if (protocol === 'icmp' || protocol === 'icmpv6') return isAll(ports) ? ALL_TYPES : ports;
  return {};
};

const canonicalSource = (source: string): string => {
  if (source.includes(':')) return canonicalCidr(source);
  if (/^(sg|pl)-/.test(source)) return source.toLowerCase();
  return formatCidr(cidrOf(source, 4));
};

/**
 * A permission in EC2's form: protocols by name in lower case, ports as in `canonicalPorts`, and ranges without host
 * bits.
 */
export const canonicalPermission = ({
  protocol,
  source,
  description,
  ...ports
}: IngressPermission): IngressPermission => {
  const given = protocol.toLowerCase();
  const name = PROTOCOL_NAMES.get(given) ?? given;
  return {
    protocol: name,
    ...canonicalPorts(name, ports),
    source: canonicalSource(source),
    ...(description ? { description } : {}),
  };
};

/** The identity of a permission; EC2 ignores the description. */
const identity = ({ protocol, fromPort, toPort, source }: IngressPermission): string =>
  `${protocol} ${fromPort ?? ''}-${toPort ?? ''} ${source}`;

/** The permissions in `these` that are not in `those`, without duplicates. */
export const permissionsBeyond = (
  these: readonly IngressPermission[],
  those: readonly IngressPermission[],
): IngressPermission[] => {
  const known = new Set(those.map((permission) => identity(canonicalPermission(permission))));
  return these.map(canonicalPermission).filter((permission) => {
    const key = identity(permission);
    if (known.has(key)) return false;
    known.add(key);
    return true;
  });
};
