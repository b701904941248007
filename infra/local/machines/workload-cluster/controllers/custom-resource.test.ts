import { beforeEach, describe, expect, it } from 'vitest';
import { createRegistry } from '../../../../../shared/kube-api/registry/create-registry.ts';
import { createTestServer } from '../../../../../shared/kube-api/server/test-server.ts';
import { createMemoryStorage } from '../../../../../shared/kube-api/storage/memory-storage.ts';
import { createObjectClient } from '../../../../../shared/kube-api/storage/object-client.ts';
import { systemRandom } from '../../../../../shared/random.ts';
import { testClock } from '../../../../../shared/store/test-table.ts';
import { WORKLOAD_KINDS } from '../served-kinds.ts';
import { makeCustomKinds } from './custom-resource.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const TOYS = '/apis/example.com/v1/namespaces/default/toys';

const definition = (spec: object = {}) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'toys.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'toys', kind: 'Toy' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', properties: { size: { type: 'integer' } } },
              status: { type: 'object' },
            },
          },
        },
      },
      { name: 'v1alpha1', served: true, storage: false },
    ],
    ...spec,
  },
});
const toy = (size: unknown) => ({
  apiVersion: 'example.com/v1',
  kind: 'Toy',
  metadata: { name: 'one' },
  spec: { size },
});

const world = async () => {
  const storage = createMemoryStorage();
  const clock = testClock();
  const registry = createRegistry({ resources: WORKLOAD_KINDS, storage, clock, random: systemRandom });
  const objects = createObjectClient(registry);
  const customKinds = makeCustomKinds(storage, WORKLOAD_KINDS);
  /** A server with the kinds that are currently served. */
  const call = async (...request: Parameters<Awaited<ReturnType<typeof createTestServer>>['call']>) => {
    const server = await createTestServer({ resources: [...WORKLOAD_KINDS, ...customKinds.current()], storage });
    return server.call(...request);
  };
  return { call, customKinds, reconcile: () => customKinds.reconcile(objects, clock.now()) };
};

describe('CustomResourceDefinitions of a simulated workload cluster', () => {
  let w: Awaited<ReturnType<typeof world>>;
  beforeEach(async () => {
    w = await world();
  });

  it('make the server serve their kind, in all its versions, and validate it against its schema', async () => {
    expect((await w.call('POST', DEFINITIONS, definition())).code).toBe(201);
    expect((await w.call('POST', TOYS, toy(3))).code).toBe(404);
    await w.reconcile();
    const { body } = await w.call('GET', `${DEFINITIONS}/toys.example.com`);
    expect(body.status.conditions).toContainEqual(expect.objectContaining({ type: 'Established', status: 'True' }));
    expect((await w.call('POST', TOYS, toy('big'))).code).toBe(422);
    expect((await w.call('POST', TOYS, toy(3))).code).toBe(201);
    const older = await w.call('GET', '/apis/example.com/v1alpha1/namespaces/default/toys/one');
    expect(older.body).toMatchObject({ apiVersion: 'example.com/v1alpha1', spec: { size: 3 } });
  });

  it('are deleted with the objects of their kind', async () => {
    await w.call('POST', DEFINITIONS, definition());
    await w.reconcile();
    await w.call('POST', TOYS, toy(3));
    await w.call('DELETE', `${DEFINITIONS}/toys.example.com`);
    await w.reconcile();
    expect((await w.call('GET', TOYS)).code).toBe(404);
    await w.call('POST', DEFINITIONS, definition());
    await w.reconcile();
    expect((await w.call('GET', TOYS)).body.items).toEqual([]);
  });

  it('cause no change if they are unchanged', async () => {
    await w.call('POST', DEFINITIONS, definition());
    await w.reconcile();
    const before = w.customKinds.current();
    await w.reconcile();
    expect(w.customKinds.current()).toBe(before);
  });

  it.each([
    ['another name', { names: { plural: 'dolls', kind: 'Doll' } }],
    ['no stored version', { versions: [{ name: 'v1', served: true, storage: false }] }],
    ['no group', { group: undefined }],
  ])('are refused with %s', async (_, spec) => {
    expect((await w.call('POST', DEFINITIONS, definition(spec))).code).toBe(422);
  });
});
