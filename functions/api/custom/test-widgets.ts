/** For tests: a kind of its own, as a CustomResourceDefinition describes it, and objects of it. */

export const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
export const WIDGETS = '/apis/example.com/v1/namespaces/default/widgets';

const spec = {
  type: 'object',
  required: ['color'],
  'x-kubernetes-validations': [
    { rule: 'self.size < 10', message: 'too big' },
    {
      rule: 'self.color == oldSelf.color',
      message: 'the color stays',
      reason: 'FieldValueForbidden',
      fieldPath: '.color',
    },
  ],
  properties: {
    color: { type: 'string', enum: ['red', 'blue'] },
    size: { type: 'integer', default: 3, minimum: 0 },
    replicas: { type: 'integer' },
    parts: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' }, weight: { type: 'number' } },
      },
    },
    template: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    port: { 'x-kubernetes-int-or-string': true },
  },
};

export const version = (name: string, more: object = {}) => ({
  name,
  served: true,
  storage: name === 'v1',
  subresources: {
    status: {},
    scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
  },
  selectableFields: [{ jsonPath: '.spec.color' }],
  additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: { spec, status: { type: 'object', properties: { replicas: { type: 'integer' } } } },
    },
  },
  ...more,
});

export type Version = ReturnType<typeof version>;

export const definition = (
  plural = 'widgets',
  kind = 'Widget',
  names: object = {},
  versions: Version[] = [version('v1')],
) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.example.com` },
  spec: { group: 'example.com', scope: 'Namespaced', names: { plural, kind, ...names }, versions },
});

export const widget = (name: string, of: object = { color: 'red' }, more: object = {}) => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name, ...more },
  spec: of,
});
