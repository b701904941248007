import { describe, expect, it } from 'vitest';
import { CLEANUP_FINALIZER } from '../plan/services/service.ts';
import type { Send } from './answers.ts';
import { servicesApi } from './services-api.ts';

const METADATA = { name: 'odd', namespace: 'shop', uid: 'u-1', resourceVersion: '7' };
const GOOD = { metadata: { ...METADATA, name: 'good' }, spec: { type: 'LoadBalancer' } };
const LONG = { loadBalancerIP: 'x'.repeat(513) };

const listed = (...items: readonly object[]) => {
  const send: Send = async () => ({ code: 200, text: JSON.stringify({ metadata: {}, items }) });
  return servicesApi(send).list();
};

describe('a Service that cannot be read', () => {
  it.each([
    ['is named with the field if it wants a load balancer', { ...LONG, type: 'LoadBalancer' }, [], true],
    ['is named if it may have had one', { ...LONG, type: 'ClusterIP' }, [CLEANUP_FINALIZER], true],
    ['is left out if it is of another type', { ...LONG, type: 'ClusterIP' }, [], false],
    [
      'is left out if it belongs to another controller',
      { ...LONG, type: 'LoadBalancer', loadBalancerClass: 'example.com/x' },
      [],
      false,
    ],
  ])('%s, and the others are read', async (_, spec, finalizers, isNamed) => {
    const services = await listed({ metadata: { ...METADATA, finalizers }, spec }, GOOD);

    expect(services).toEqual([
      ...(isNamed ? [{ ...METADATA, unreadField: 'spec.loadBalancerIP' }] : []),
      expect.objectContaining({ name: 'good', type: 'LoadBalancer' }),
    ]);
  });

  it('counts as an invalid response if it wants a load balancer and has no valid name', async () => {
    const metadata = { ...METADATA, name: '../x' };
    await expect(listed({ metadata, spec: { type: 'LoadBalancer' } })).rejects.toThrow('invalid Service');
  });

  it('counts as an invalid response together with hundreds of others', async () => {
    const items = Array.from({ length: 501 }, () => ({ metadata: METADATA, spec: LONG }));
    expect(await listed(...items.slice(1))).toEqual([]);
    await expect(listed(...items)).rejects.toThrow('too many invalid Services');
  });
});
