import { describe, expect, it } from 'vitest';
import type { Secret } from '../../../../../shared/kinds/index.ts';
import { isSignedBy } from '../../kubeadm/bootstrap-token.ts';
import { signedData } from './bootstrap-signer.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const token = (id: string, data: Record<string, string> = {}): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: `bootstrap-token-${id}`, namespace: 'kube-system' },
  type: 'bootstrap.kubernetes.io/token',
  data: Object.fromEntries(
    Object.entries({
      'token-id': id,
      'token-secret': '0123456789abcdef',
      'usage-bootstrap-signing': 'true',
      ...data,
    }).map(([key, value]) => [key, base64(value)]),
  ),
});

const NOW = new Date('2026-01-01T00:00:00Z');

describe('the bootstrap signer', () => {
  it('signs for each signing token that has not expired', () => {
    const tokens = [
      token('aaaaaa'),
      token('bbbbbb', { 'usage-bootstrap-signing': 'false' }),
      token('cccccc', { expiration: '2026-01-01T00:00:00Z' }),
      token('dddddd', { expiration: '2026-01-01T00:00:01Z' }),
      token('eeeeee', { expiration: 'soon' }),
      { ...token('ffffff'), type: 'Opaque' },
    ];
    const data = signedData({ kubeconfig: 'k' }, tokens, NOW);
    expect(Object.keys(data)).toEqual(['kubeconfig', 'jws-kubeconfig-aaaaaa', 'jws-kubeconfig-dddddd']);
    const signature = data['jws-kubeconfig-aaaaaa'] ?? '';
    expect(signature).toMatch(/^[\w-]+\.\.[\w-]+$/);
    expect(isSignedBy(signature, 'k', { id: 'aaaaaa', secret: '0123456789abcdef' })).toBe(true);
    expect(isSignedBy(signature, 'K', { id: 'aaaaaa', secret: '0123456789abcdef' })).toBe(false);
  });

  it('removes the signature of a deleted token, and changes nothing else', () => {
    const before = { kubeconfig: 'k', other: 'kept', 'jws-kubeconfig-aaaaaa': 'x' };
    expect(signedData(before, [], NOW)).toEqual({ kubeconfig: 'k', other: 'kept' });
  });

  it('signs nothing without a kubeconfig', () => {
    expect(signedData({}, [token('aaaaaa')], NOW)).toEqual({});
  });
});
