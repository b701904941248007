import ssh2 from 'ssh2';

/**
 * A new key pair. ssh2 drops leading zeros of a public key, so about one pair in 170 is unreadable and is generated
 * again.
 */
export const keyPair = () => {
  for (;;) {
    const pair = ssh2.utils.generateKeyPairSync('ed25519');
    if (!(ssh2.utils.parseKey(pair.public) instanceof Error)) return pair;
  }
};
