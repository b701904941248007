import { describe, expect, it } from 'vitest';
import { outsideKind } from '../../../shared/outside/kinds.ts';
import { TopologyError } from '../../../shared/plan/topology/error.ts';
import { type Api, ApiError } from '../api/client.ts';
import { makeReads } from './reads.ts';

it('reports definitions that the user may not read as an error of the topology that needs them', async () => {
  const status = { code: 403, reason: 'Forbidden', message: 'customresourcedefinitions is forbidden' };
  const api = { send: () => Promise.reject(new ApiError(status as never)) } as unknown as Api;
  const read = makeReads(api).contractKinds?.();
  await expect(read).rejects.toThrow(TopologyError);
  await expect(read).rejects.toThrow(
    'the definitions of its kinds cannot be read: customresourcedefinitions is forbidden',
  );
});

it.each([
  [403, false],
  [200, true],
])('derives from the answer %i of the API whether the user may read quotas', async (code, may) => {
  const status = { code, reason: 'Forbidden', message: 'resourcequotas is forbidden' };
  const send = async () => {
    if (code !== 200) throw new ApiError(status as never);
    return { items: [], metadata: {} };
  };
  const { mayReadQuotas } = makeReads({ send } as unknown as Api);
  expect(await mayReadQuotas?.('default')).toBe(may);
});

it('fails if the quotas cannot be read for another reason', async () => {
  const status = { code: 500, reason: 'InternalError', message: 'no table' };
  const api = { send: () => Promise.reject(new ApiError(status as never)) } as unknown as Api;
  await expect(makeReads(api).mayReadQuotas?.('default')).rejects.toThrow('no table');
});

describe('an external provider', () => {
  const DEFINITION = {
    metadata: { name: 'racks.example.com', labels: { 'cluster.x-k8s.io/v1beta1': 'v1' } },
    spec: {
      group: 'example.com',
      names: { kind: 'Rack', plural: 'racks', singular: 'rack', listKind: 'RackList' },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  };
  const metadata = { name: 'red', namespace: 'default', labels: { 'cluster.x-k8s.io/cluster-name': 'red' } };
  const rack = { apiVersion: 'example.com/v1', kind: 'Rack', metadata, spec: { colour: 'red' } };
  const RACK = outsideKind('cluster', 'example.com', 'Rack');
  const readsWith = (definitions: object[]) => {
    const asked: string[] = [];
    const send = async (_method: string, path: string) => {
      asked.push(path.replace(/\?.*/, ''));
      if (path.includes('customresourcedefinitions')) return { items: definitions, metadata: {} };
      if (path.startsWith('/apis/example.com/v1/namespaces/default/racks/red')) return rack;
      if (path.startsWith('/apis/example.com/v1/namespaces/default/racks?')) return { items: [rack], metadata: {} };
      throw new ApiError({ code: 404, message: 'the API answered 404: 404 page not found' } as never);
    };
    return { reads: makeReads({ send } as unknown as Api), asked };
  };

  it('has its objects at the address in its definition, which is read once', async () => {
    const { reads, asked } = readsWith([DEFINITION]);
    expect(await reads.get(RACK, { namespace: 'default', name: 'red' })).toMatchObject({ metadata });
    expect(await reads.listOfCluster(RACK, 'default', 'red')).toMatchObject([{ metadata }]);
    expect(await reads.listOfCluster(RACK, 'default', 'blue')).toEqual([]);
    expect(asked.filter((path) => path.includes('customresourcedefinitions'))).toHaveLength(1);
  });

  it('has no objects without a definition', async () => {
    const { reads } = readsWith([]);
    expect(await reads.get(RACK, { namespace: 'default', name: 'red' })).toBeUndefined();
    expect(await reads.list(RACK, 'default')).toEqual([]);
  });
});
