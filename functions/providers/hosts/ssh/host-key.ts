import { timingSafeEqual } from 'node:crypto';
import type { ServerHostKeyAlgorithm } from 'ssh2';

/** The algorithms with which a server can prove that it has a key of a type. */
const ALGORITHMS: Readonly<Record<string, ServerHostKeyAlgorithm[]>> = {
  'ssh-ed25519': ['ssh-ed25519'],
  'ssh-rsa': ['rsa-sha2-512', 'rsa-sha2-256'],
  'ecdsa-sha2-nistp256': ['ecdsa-sha2-nistp256'],
  'ecdsa-sha2-nistp384': ['ecdsa-sha2-nistp384'],
  'ecdsa-sha2-nistp521': ['ecdsa-sha2-nistp521'],
};

/** The requirements for the server's key: a server with several keys must present the known one. */
export interface KnownKey {
  readonly algorithms: ServerHostKeyAlgorithm[];
  matches(key: Buffer): boolean;
}

/** `text` has the form of known_hosts: type and key. */
export const knownKey = (text: string): KnownKey => {
  const [type = '', encoded = ''] = text.trim().split(/\s+/);
  const known = Buffer.from(encoded, 'base64');
  return {
    algorithms: ALGORITHMS[type] ?? [],
    matches: (key) => key.length === known.length && timingSafeEqual(key, known),
  };
};
