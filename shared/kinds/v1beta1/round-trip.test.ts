import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { apiVersionOf } from '../../kube-api/decode.ts';
import type { KubeObject } from '../../kube-api/object.ts';
import type { OpenApiSchema, ResourceDefinition, View } from '../../kube-api/resource.ts';
import { applyDefaults } from '../../kube-api/schema/default.ts';
import { validateSchema } from '../../kube-api/schema/validate.ts';
import { fromStorage, toStorage } from '../../kube-api/versions/convert.ts';
import { servedResources } from '../../kube-api/versions/served.ts';
import { KINDS } from '../index.ts';
import { arbitraryOf } from './test-arbitrary.ts';

/** To reproduce a failure, use the seed and the path that fast-check prints. */
const SETTINGS = { seed: 20260121, numRuns: 10 };

const OLD = servedResources(KINDS).filter(({ view }) => view !== undefined);

const objectsOf = (resource: ResourceDefinition, schema: OpenApiSchema): fc.Arbitrary<KubeObject> =>
  arbitraryOf(schema).map((body) => ({
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    metadata: { name: 'any', namespace: 'default', labels: { a: 'b' } },
    ...(body as object),
  }));

describe.each(OLD)('$kind $version', (old) => {
  const view = old.view as View;

  it('loses nothing when it is converted to v1beta2 and back', () => {
    const check = (object: KubeObject): void => {
      const stored = toStorage(view, object);
      const back = fromStorage(view, stored);
      expect(back).toEqual(object);
      expect(toStorage(view, back)).toEqual(stored);
    };
    fc.assert(fc.property(objectsOf(old, old.schema), check), SETTINGS);
  });

  it('loses nothing of v1beta2 in the opposite round trip, and matches its own schema', () => {
    const check = (given: KubeObject): void => {
      const stored = applyDefaults(view.storage.schema, given) as KubeObject;
      const object = fromStorage(view, stored);
      expect(validateSchema(old.schema, object)).toEqual([]);
      expect(toStorage(view, object)).toEqual(stored);
    };
    fc.assert(fc.property(objectsOf(view.storage, view.storage.schema), check), SETTINGS);
  });
});
