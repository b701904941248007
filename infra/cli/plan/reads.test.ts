import { expect, it } from 'vitest';
import { TopologyError } from '../../../shared/plan/topology/error.ts';
import { type Api, ApiError } from '../api/client.ts';
import { makeReads } from './reads.ts';

it('reports definitions that the user may not read as a fault of the topology that needs them', async () => {
  const status = { code: 403, reason: 'Forbidden', message: 'customresourcedefinitions is forbidden' };
  const api = { send: () => Promise.reject(new ApiError(status as never)) } as unknown as Api;
  const read = makeReads(api).contractKinds?.();
  await expect(read).rejects.toThrow(TopologyError);
  await expect(read).rejects.toThrow(
    'the definitions of its kinds cannot be read: customresourcedefinitions is forbidden',
  );
});
