import { describe, expect, it } from 'vitest';
import { WorkloadUnreachableError } from '../../../shared/workload/client.ts';
import { endpointOf } from './observe-nodes.ts';
import type { ObservedBalancer } from './observed.ts';
import { type AskNodes, reachNodes } from './reach.ts';

const balancer = (host: string, port = 6443): ObservedBalancer => ({
  type: 'nlb',
  name: host,
  scheme: 'internet-facing',
  host,
  port,
  subnets: [],
});

/** A cluster that answers at one URL. */
const answeringAt =
  (server: string, stored?: { endpoint: { host: string; port: number } }): AskNodes =>
  async (url) => {
    if (url !== server) throw new WorkloadUnreachableError('refused');
    return { nodes: [], ...(stored ? { stored } : {}) };
  };

describe('the path to the nodes of a cluster', () => {
  const balancers = [balancer('a.example', 443), balancer('b.example')];

  it('is the first load balancer that answers, and the endpoint is the one that kubeadm stored', async () => {
    const ask = answeringAt('https://b.example:6443', { endpoint: { host: 'api.example', port: 443 } });
    expect(await reachNodes({ balancers }, undefined, ask)).toMatchObject({
      endpoint: { host: 'api.example', port: 443 },
    });
    expect(await reachNodes({ balancers }, undefined, answeringAt('https://a.example:443'))).toMatchObject({
      endpoint: { host: 'a.example', port: 443 },
    });
  });

  it('is the endpoint that the user names, and no other', async () => {
    const said = await reachNodes({ balancers }, endpointOf('[fd00::1]:6443'), answeringAt('https://[fd00::1]:6443'));
    expect(said.endpoint).toEqual({ host: 'fd00::1', port: 6443 });
    const silent = await reachNodes({ balancers }, endpointOf('elsewhere'), answeringAt('https://a.example:443'));
    expect(silent).toEqual({ nodes: [], silent: 'elsewhere:6443: refused' });
  });

  it('is undefined, with the reasons', async () => {
    const nowhere = answeringAt('https://nowhere');
    const { silent } = await reachNodes({ balancers }, undefined, nowhere);
    expect(silent).toBe('a.example:443: refused; b.example:6443: refused');
    expect((await reachNodes({ balancers: [] }, undefined, nowhere)).silent).toContain('--endpoint');
  });

  it('passes on any other error', async () => {
    const ask: AskNodes = async () => {
      throw new Error('403');
    };
    await expect(reachNodes({ balancers }, undefined, ask)).rejects.toThrow('403');
  });
});

it.each(['', 'a:b:c', 'https://a.example', '[::1', 'a:b'])('refuses %j as an endpoint', (text) => {
  expect(endpointOf(text)).toBeUndefined();
});
