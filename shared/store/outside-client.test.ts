import { expect, it } from 'vitest';
import { kinds } from '../kinds/index.ts';
import type { Catalog } from '../kube-api/custom/catalog.ts';
import type { ObjectClient } from '../kube-api/storage/client.ts';
import { withOutside } from './outside-client.ts';

it('reads Secrets without opening them if their data are not needed', async () => {
  const asked: unknown[] = [];
  const objects: Partial<ObjectClient> = {
    get: async (_resource, _key, options) => void asked.push(options),
    listOfCluster: async (_resource, _namespace, _cluster, options) => {
      asked.push(options);
      return [];
    },
  };
  const client = withOutside(objects as ObjectClient, {} as Catalog);
  await client.get(kinds.secret, { namespace: 'default', name: 'ca' }, { unopened: true });
  await client.listOfCluster(kinds.secret, 'default', 'red', { unopened: true });
  expect(asked).toEqual([{ unopened: true }, { unopened: true }]);
});
