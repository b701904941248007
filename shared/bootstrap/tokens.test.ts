import { Buffer } from 'node:buffer';
import { createPrivateKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { systemRandom } from '../random.ts';
import { generateAuthority } from './certificates/authority.ts';
import { testDependencies } from './certificates/fixtures.ts';
import { bootstrapTokenSecret, machineToken, parseToken, randomToken, tokenSeed } from './tokens.ts';

const FORM = /^[a-z0-9]{6}\.[a-z0-9]{16}$/;
const [ca, otherCa] = await Promise.all(
  [1, 2].map(() => generateAuthority({ ...testDependencies(), algorithm: 'ECDSA-P256' })),
);
if (ca === undefined || otherCa === undefined) throw new Error('two CAs were asked for');

describe('randomToken', () => {
  it('has the form that kubeadm demands and is new each time', () => {
    const tokens = Array.from({ length: 200 }, () => randomToken(systemRandom));

    expect(tokens.every((token) => FORM.test(token))).toBe(true);
    expect(new Set(tokens).size).toBe(200);
  });
});

describe('machineToken', () => {
  it('is the same for the same cluster and machine, in any encoding of the key', () => {
    const pkcs8 = createPrivateKey(ca.privateKeyPem).export({ format: 'pem', type: 'pkcs8' }).toString();

    expect(machineToken(tokenSeed(ca.privateKeyPem), 'uid-1')).toBe(machineToken(tokenSeed(pkcs8), 'uid-1'));
    expect(machineToken(tokenSeed(ca.privateKeyPem), 'uid-1')).toMatch(FORM);
  });

  it('differs between machines and between clusters', () => {
    const seed = tokenSeed(ca.privateKeyPem);
    const tokens = [
      machineToken(seed, 'uid-1'),
      machineToken(seed, 'uid-2'),
      machineToken(tokenSeed(otherCa.privateKeyPem), 'uid-1'),
    ];

    expect(new Set(tokens).size).toBe(3);
    expect(new Set(tokens.map((token) => token.slice(0, 6))).size).toBe(3);
  });

  it('always has the same format, so that tokens of booting machines stay valid across updates', () => {
    expect(machineToken(new Uint8Array(32).fill(7), 'uid-1')).toBe('szj6ws.v09epjgrd3diqgd4');
  });
});

describe('bootstrapTokenSecret', () => {
  it('has the form that the token controllers of Kubernetes read', () => {
    const secret = bootstrapTokenSecret('abcdef.0123456789abcdef', {
      expiration: new Date('2026-01-01T00:15:00.123Z'),
      description: 'machine demo-1',
    });

    expect(secret).toMatchObject({
      metadata: { name: 'bootstrap-token-abcdef', namespace: 'kube-system' },
      type: 'bootstrap.kubernetes.io/token',
    });
    const data = Object.entries(secret.data ?? {}).map(([key, value]) => [
      key,
      Buffer.from(value, 'base64').toString(),
    ]);
    expect(Object.fromEntries(data)).toEqual({
      'token-id': 'abcdef',
      'token-secret': '0123456789abcdef',
      expiration: '2026-01-01T00:15:00Z',
      'usage-bootstrap-signing': 'true',
      'usage-bootstrap-authentication': 'true',
      'auth-extra-groups': 'system:bootstrappers:kubeadm:default-node-token',
      description: 'machine demo-1',
    });
  });
});

describe('parseToken', () => {
  it('refuses a malformed token without repeating the secret', () => {
    const parse = () => parseToken('secret-stuff', 'spec.token');

    expect(parse).toThrow(/^spec\.token: must have the form/);
    expect(parse).not.toThrow(/secret-stuff/);
  });
});
