import { describe, expect, it } from 'vitest';
import type { Host } from './schema.ts';
import { validateHost } from './validate.ts';

const KEY = `ssh-ed25519 ${'A'.repeat(68)}`;

const aHost = (spec: Partial<Host['spec']>): Host =>
  ({
    apiVersion: 'infrastructure.windlass.dev/v1alpha1',
    kind: 'Host',
    metadata: { name: 'rack1-07', namespace: 'default' },
    spec: { address: '10.1.0.7', port: 22, user: 'root', hostKey: KEY, secretRef: { name: 'key' }, ...spec },
  }) as Host;

const fieldsOf = (host: Host) => validateHost(host, undefined).map(({ field }) => field);

describe('the key of a host', () => {
  it.each([KEY, `${KEY} root@rack1-07`, `ecdsa-sha2-nistp256 ${'A'.repeat(140)}=`])('may be %s', (hostKey) => {
    expect(fieldsOf(aHost({ hostKey }))).toEqual([]);
  });

  it.each([`SHA256:${'A'.repeat(43)}`, 'ssh-ed25519 short', `10.1.0.7 ${KEY}`])('may not be %s', (hostKey) => {
    expect(fieldsOf(aHost({ hostKey }))).toEqual(['spec.hostKey']);
  });
});
