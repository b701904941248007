import type { SendJson } from '../../../infra/cli/conformance/custom-resources.ts';
import { systemClock } from '../../../shared/clock.ts';
import { customResourceDefinitionOf } from '../../../shared/kube-api/custom-resource-definition.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { OpenApiSchema, ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import { servedResources } from '../../../shared/kube-api/versions/served.ts';

/**
 * A kind with two versions that differ only in their names, because a kube-apiserver needs a webhook to convert between
 * any others. This suffices to compare which manager owns which fields in which version.
 */
const text: OpenApiSchema = { type: 'string' };

const schema: OpenApiSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        color: text,
        gates: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['type'],
          items: { type: 'object', required: ['type'], properties: { type: text, polarity: text, note: text } },
        },
        zones: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
        nested: { type: 'object', properties: { a: text, b: { type: 'object', properties: { c: text, d: text } } } },
        labels: { type: 'object', additionalProperties: text },
      },
    },
  },
};

const bodyOf = ({ apiVersion: _, kind: __, metadata: ___, ...body }: KubeObject): object => body;

export const TWINS: ResourceDefinition = {
  group: 'differential.windlass.dev',
  version: 'v2',
  kind: 'Twin',
  plural: 'twins',
  singular: 'twin',
  shortNames: [],
  categories: [],
  namespaced: true,
  schema,
  statusSubresource: false,
  columns: [],
  builtIn: false,
  versions: [{ name: 'v1', schema: () => schema, columns: [], toStorage: bodyOf, fromStorage: bodyOf }],
};

const LOOKS = 300;
const LOOK_MILLISECONDS = 100;

/** Makes the kube-apiserver serve both versions, and resolves when it serves them. */
export const installTwins = async (send: SendJson): Promise<void> => {
  const [stored = TWINS, ...further] = servedResources([TWINS]);
  const definition = customResourceDefinitionOf([stored, ...further]);
  const { code, body } = await send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
  if (code !== 201) throw new Error(`the definition of Twin was refused: ${JSON.stringify(body)}`);
  for (let look = 0; look < LOOKS; look += 1) {
    const answers = await Promise.all(
      ['v1', 'v2'].map((version) => send('GET', `/apis/${TWINS.group}/${version}/twins`)),
    );
    if (answers.every((answer) => answer.code === 200)) return;
    await systemClock.sleep(LOOK_MILLISECONDS);
  }
  throw new Error('Twin is not served');
};
