import { canonicalCidr, cidrOf, formatCidr } from '../../../../cidr.ts';
import type { IngressPermission } from './model.ts';

const PROTOCOL_NAMES: Readonly<Record<string, string>> = { '1': 'icmp', '6': 'tcp', '17': 'udp', '58': 'icmpv6' };
const WITH_PORTS = new Set(['tcp', 'udp', 'icmp', 'icmpv6']);

const canonicalSource = (source: string): string => {
  if (source.includes(':')) return canonicalCidr(source);
  if (/^(sg|pl)-/.test(source)) return source.toLowerCase();
  return formatCidr(cidrOf(source, 4));
};

/** A permission in EC2's form: protocols by name, no ports if the protocol has none, ranges without host bits. */
export const canonicalPermission = ({
  protocol,
  fromPort,
  toPort,
  source,
  description,
}: IngressPermission): IngressPermission => {
  const name = PROTOCOL_NAMES[protocol] ?? protocol;
  const ports = WITH_PORTS.has(name) ? { fromPort, toPort } : {};
  return { protocol: name, ...ports, source: canonicalSource(source), ...(description ? { description } : {}) };
};

/** The identity of a permission; EC2 ignores the description. */
const identity = ({ protocol, fromPort, toPort, source }: IngressPermission): string =>
  `${protocol} ${fromPort ?? ''}-${toPort ?? ''} ${source}`;

/** The permissions of `these` that `those` do not contain, each once. */
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
