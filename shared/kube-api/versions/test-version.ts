import type { KubeObject } from '../object.ts';
import type { ResourceDefinition, ServedVersion } from '../resource.ts';
import { GIZMOS, type Gizmo, TEST_KINDS } from '../test-kinds.ts';

/**
 * An older version of Gizmo: `count` for `size`, a flag for the mode, a map for the parts, and a colour that was
 * dropped.
 */
export interface OldGizmo extends KubeObject {
  spec?: {
    count?: number;
    version?: string;
    fast?: boolean;
    parts?: Record<string, number>;
    colour?: string;
  };
  status?: { count?: number; mood?: string };
}

const fromParts = (parts: { name: string; count?: number }[] = []): Record<string, number> =>
  Object.fromEntries(parts.map(({ name, count = 0 }) => [name, count]));

const OLD_GIZMO: ServedVersion = {
  name: 'v1beta1',
  deprecated: true,
  columns: [{ name: 'Count', type: 'integer', jsonPath: '.spec.count' }],
  scale: { specReplicasPath: '.spec.count', statusReplicasPath: '.status.count' },
  selectableFields: ['.spec.colour'],
  schema: () => ({
    type: 'object',
    required: ['spec'],
    properties: {
      spec: {
        type: 'object',
        properties: {
          count: { type: 'integer', minimum: 0 },
          version: { type: 'string', default: 'v1.0' },
          fast: { type: 'boolean' },
          parts: { type: 'object', additionalProperties: { type: 'integer' } },
          colour: { type: 'string' },
        },
      },
      status: { type: 'object', properties: { count: { type: 'integer' }, mood: { type: 'string' } } },
    },
  }),
  toStorage: ({ spec, status }: OldGizmo) => ({
    spec: {
      size: spec?.count ?? 1,
      version: spec?.version,
      mode: spec?.fast ? 'Fast' : 'Slow',
      parts: spec?.parts && Object.entries(spec.parts).map(([name, count]) => ({ name, count })),
    },
    status: status && { size: status.count },
  }),
  fromStorage: ({ spec, status }: Gizmo) => ({
    spec: {
      count: spec?.size,
      version: spec?.version,
      fast: spec?.mode === 'Fast',
      parts: spec?.parts && fromParts(spec.parts),
    },
    status: status && { count: status.size },
  }),
};

export const VERSIONED_GIZMOS: ResourceDefinition = { ...(GIZMOS as ResourceDefinition), versions: [OLD_GIZMO] };

export const VERSIONED_KINDS: readonly ResourceDefinition[] = TEST_KINDS.map((kind) =>
  kind.kind === 'Gizmo' ? VERSIONED_GIZMOS : kind,
);

export const oldGizmo = (name: string, spec: OldGizmo['spec'] = {}): OldGizmo => ({
  apiVersion: 'toys.windlass.dev/v1beta1',
  kind: 'Gizmo',
  metadata: { name, namespace: 'default' },
  spec: { version: 'v1.30', ...spec },
});

export const OLD_PATH = '/apis/toys.windlass.dev/v1beta1/namespaces/default/gizmos';
