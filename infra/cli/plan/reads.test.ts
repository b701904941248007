import { expect, it } from 'vitest';
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
