import { createHmac } from 'node:crypto';

/** The name of a host in known_hosts, see sshd(8): a port other than 22 requires brackets. */
const nameOf = (address: string, port: number): string => (port === 22 ? address : `[${address}]:${port}`);

/** `|1|salt|hash`: HMAC-SHA1 of the name, in the form of `ssh-keygen -H`. */
const isHashOf = (pattern: string, name: string): boolean => {
  const [, version, salt = '', hash] = pattern.split('|');
  if (version !== '1') return false;
  return createHmac('sha1', Buffer.from(salt, 'base64')).update(name).digest('base64') === hash;
};

const matches = (pattern: string, name: string): boolean =>
  pattern.startsWith('|') ? isHashOf(pattern, name) : pattern === name;

/** The best one first. */
const ALGORITHMS = ['ssh-ed25519', 'ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp521', 'ssh-rsa'];

/**
 * The key of a host in a text with the format of known_hosts, as `<algorithm> <key>`; undefined if there is none. Lines
 * for certificate authorities, revoked keys and patterns with wildcards are ignored: a key must name its host.
 */
export const knownHostKey = (text: string, address: string, port: number): string | undefined => {
  const name = nameOf(address, port);
  const keys = text.split('\n').flatMap((line) => {
    const [names = '', algorithm = '', key = ''] = line.trim().split(/\s+/);
    if (names.startsWith('#') || names.startsWith('@') || !ALGORITHMS.includes(algorithm) || key === '') return [];
    return names.split(',').some((pattern) => matches(pattern, name)) ? [{ algorithm, key }] : [];
  });
  keys.sort((a, b) => ALGORITHMS.indexOf(a.algorithm) - ALGORITHMS.indexOf(b.algorithm));
  const [best] = keys;
  return best && `${best.algorithm} ${best.key}`;
};
