import { isIPv4, isIPv6 } from 'node:net';
import { parseIp, stringifyIp } from 'ip-bigint';
import { quote } from '../../quote.ts';
import { CelError, type CelValue, noOverload, type Opaque } from '../value.ts';
import { type CelFunction, define } from './define.ts';

const BITS = { 4: 32n, 6: 128n } as const;

class Ip implements Opaque {
  readonly celType = 'net.IP';
  readonly family: 4 | 6;
  readonly number: bigint;
  constructor(family: 4 | 6, number: bigint) {
    this.family = family;
    this.number = number;
  }
  get text(): string {
    return stringifyIp({ number: this.number, version: this.family });
  }
  /** The size in bytes. */
  get size(): number {
    return this.family === 4 ? 4 : 16;
  }
  equals(other: Opaque): boolean {
    return other instanceof Ip && other.family === this.family && other.number === this.number;
  }
}

class Block implements Opaque {
  readonly celType = 'net.CIDR';
  readonly ip: Ip;
  readonly prefix: bigint;
  constructor(ip: Ip, prefix: bigint) {
    this.ip = ip;
    this.prefix = prefix;
  }
  get text(): string {
    return `${this.ip.text}/${this.prefix}`;
  }
  /** Upstream counts the bytes that the prefix covers. */
  get size(): number {
    return Math.ceil(Number(this.prefix) / 8);
  }
  equals(other: Opaque): boolean {
    return other instanceof Block && other.prefix === this.prefix && other.ip.equals(this.ip);
  }
}

/** Like upstream, rejects zones, and IPv4 addresses in IPv6 notation. */
const readIp = (text: string): Ip | undefined => {
  if (isIPv4(text)) return new Ip(4, parseIp(text).number);
  if (!isIPv6(text) || text.includes('%')) return undefined;
  const { number } = parseIp(text);
  return number >> 32n === 0xffffn ? undefined : new Ip(6, number);
};

const readBlock = (text: string): Block | undefined => {
  const [address = '', length = '', ...rest] = text.split('/');
  const ip = readIp(address);
  if (!ip || rest.length > 0 || !/^(0|[1-9]\d{0,2})$/.test(length) || BigInt(length) > BITS[ip.family])
    return undefined;
  return new Block(ip, BigInt(length));
};

const needIp = (text: string): Ip => {
  const ip = readIp(text);
  if (ip) return ip;
  if (isIPv6(text)) {
    throw new CelError(
      text.includes('%')
        ? `IP address ${quote(text)} with zone value is not allowed`
        : `IPv4-mapped IPv6 address ${quote(text)} is not allowed`,
    );
  }
  throw new CelError(
    `IP Address "${text}" parse error during conversion from string: ParseAddr("${text}"): unable to parse IP`,
  );
};

const needBlock = (text: string): Block => {
  const block = readBlock(text);
  if (block) return block;
  const [address = ''] = text.split('/');
  if (isIPv6(address) && parseIp(address).number >> 32n === 0xffffn) {
    throw new CelError(
      `network address parse error during conversion from string: IPv4-mapped IPv6 address ${quote(text)} is not allowed`,
    );
  }
  const why = 'network address parse error during conversion from string: ';
  throw new CelError(`${why}${why}netip.ParsePrefix(${quote(text)}): invalid prefix`);
};

const fromText = (run: (text: string) => CelValue) => (text: CelValue) =>
  typeof text === 'string' ? run(text) : undefined;

const inFirst = ({ family, number }: Ip, prefix: bigint): bigint => number >> (BITS[family] - prefix);

const isLoopback = (ip: Ip): boolean => (ip.family === 4 ? inFirst(ip, 8n) === 127n : ip.number === 1n);
const isMulticast = (ip: Ip): boolean => (ip.family === 4 ? inFirst(ip, 4n) === 0xen : inFirst(ip, 8n) === 0xffn);
const isLocalMulticast = (ip: Ip): boolean =>
  ip.family === 4 ? inFirst(ip, 24n) === 0xe00000n : inFirst(ip, 8n) === 0xffn && (inFirst(ip, 16n) & 0xfn) === 2n;
const isLocalUnicast = (ip: Ip): boolean =>
  ip.family === 4 ? inFirst(ip, 16n) === 0xa9fen : inFirst(ip, 10n) === 0x3fan;
const isBroadcast = (ip: Ip): boolean => ip.family === 4 && ip.number === 0xffffffffn;
const isGlobalUnicast = (ip: Ip): boolean =>
  ip.number !== 0n && !isBroadcast(ip) && !isLoopback(ip) && !isMulticast(ip) && !isLocalUnicast(ip);

const TESTS: Readonly<Record<string, (ip: Ip) => boolean>> = {
  isUnspecified: ({ number }) => number === 0n,
  isLoopback,
  isLinkLocalMulticast: isLocalMulticast,
  isLinkLocalUnicast: isLocalUnicast,
  isGlobalUnicast,
};

const masked = ({ ip, prefix }: Block): Block => {
  const host = BITS[ip.family] - prefix;
  return new Block(new Ip(ip.family, (ip.number >> host) << host), prefix);
};

const containsIp = (block: Block, ip: Ip): boolean =>
  block.ip.family === ip.family && inFirst(block.ip, block.prefix) === inFirst(ip, block.prefix);

const onBlock = (run: (block: Block) => CelValue) => (value: CelValue) =>
  value instanceof Block ? run(value) : undefined;

/** For a string that is not an address, upstream reports only that no overload matches. */
const ipOf = (value: CelValue | undefined): Ip | undefined => {
  if (value instanceof Ip) return value;
  const ip = typeof value === 'string' ? readIp(value) : undefined;
  if (!ip) throw noOverload();
  return ip;
};

const blockOf = (value: CelValue | undefined): Block | undefined => {
  if (value instanceof Block) return value;
  return typeof value === 'string' ? needBlock(value) : undefined;
};

const containsIpOf = (block: CelValue, value?: CelValue): CelValue | undefined => {
  const ip = ipOf(value);
  return block instanceof Block && ip ? containsIp(block, ip) : undefined;
};

const containsBlockOf = (block: CelValue, value?: CelValue): CelValue | undefined => {
  const other = blockOf(value);
  if (!(block instanceof Block) || !other) return undefined;
  return other.prefix >= block.prefix && containsIp(block, other.ip);
};

/** Kubernetes' libraries for IP addresses and blocks (k8s.io/apiserver/pkg/cel/library/ip.go, cidr.go). */
export const networkFunctions: readonly CelFunction[] = [
  define('ip', fromText(needIp)),
  define(
    'isIP',
    fromText((text) => readIp(text) !== undefined),
  ),
  define('ip.isCanonical', (_, text) => (typeof text === 'string' ? needIp(text).text === text : undefined)),
  define('.family', (ip) => (ip instanceof Ip ? BigInt(ip.family) : undefined)),
  ...Object.entries(TESTS).map(([name, test]) => define(`.${name}`, (ip) => (ip instanceof Ip ? test(ip) : undefined))),
  define('cidr', fromText(needBlock)),
  define(
    'isCIDR',
    fromText((text) => readBlock(text) !== undefined),
  ),
  define('.containsIP', containsIpOf),
  define('.containsCIDR', containsBlockOf),
  define(
    '.ip',
    onBlock(({ ip }) => ip),
  ),
  define(
    '.prefixLength',
    onBlock(({ prefix }) => prefix),
  ),
  define('.masked', onBlock(masked)),
  define('string', (value) => (value instanceof Ip || value instanceof Block ? value.text : undefined)),
];
