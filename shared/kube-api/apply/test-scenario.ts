import type { JsonObject } from '../json.ts';
import type { KubeObject } from '../object.ts';
import type { OpenApiSchema, ResourceDefinition } from '../resource.ts';
import { StatusError } from '../status-error.ts';
import { applyConfig } from './apply-config.ts';
import { trackUpdate, type Updater } from './track.ts';

/** An object that several managers write, without a server: the results of the ownership rules. */

const text: OpenApiSchema = { type: 'string' };
const number: OpenApiSchema = { type: 'integer' };

const port: OpenApiSchema = {
  type: 'object',
  required: ['port'],
  properties: { port: number, protocol: { ...text, default: 'TCP' }, name: text, tags: { type: 'object' } },
};

export const THINGS: ResourceDefinition = {
  group: 'test.windlass.dev',
  version: 'v1',
  kind: 'Thing',
  plural: 'things',
  singular: 'thing',
  shortNames: [],
  categories: [],
  namespaced: true,
  builtIn: false,
  statusSubresource: true,
  columns: [],
  schema: {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          size: number,
          color: text,
          nested: {
            type: 'object',
            properties: { a: number, b: { type: 'object', properties: { c: number, d: number } } },
          },
          labels: { type: 'object', additionalProperties: text },
          zones: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
          args: { type: 'array', items: text },
          selector: {
            type: 'object',
            properties: { match: { type: 'object', additionalProperties: text } },
            'x-kubernetes-map-type': 'atomic',
          },
          ports: {
            type: 'array',
            items: port,
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['port', 'protocol'],
          },
          free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
      status: { type: 'object', properties: { phase: text } },
    },
  },
};

const NAMED = { name: 'one', namespace: 'default' };

export interface Scenario {
  apply(manager: string, spec: JsonObject, options?: { force?: boolean; rest?: JsonObject }): void;
  /** An update that replaces the complete spec. */
  update(manager: string, spec: JsonObject, rest?: JsonObject): void;
  /** The conflicts of an apply, as paths by their message. */
  conflicts(manager: string, spec: JsonObject): string[];
  spec(): unknown;
  /** What each manager owns: its entries' fieldsV1, by `name` or `name/subresource`. */
  owned(): Record<string, unknown>;
  object(): KubeObject;
  /** What the next writes find: for states that no rule would make. */
  store(change: (object: KubeObject) => KubeObject): void;
  tick(): void;
}

/** A clock that moves only by `tick`, a minute at a time. */
export const createScenario = (things = THINGS): Scenario => {
  let live: KubeObject | undefined;
  let minute = 0;
  const now = (): Date => new Date(Date.UTC(2026, 0, 1, 0, minute));
  const whole = (spec: JsonObject, rest: JsonObject = {}): JsonObject => {
    const metadata = { ...NAMED, ...(rest.metadata as object) };
    return { apiVersion: 'test.windlass.dev/v1', kind: 'Thing', ...rest, metadata, spec };
  };
  const keep = (object: JsonObject, managedFields: KubeObject['metadata']['managedFields']): void => {
    const { metadata, ...others } = object as unknown as KubeObject;
    live = { ...others, metadata: { ...metadata, managedFields } };
  };
  const current = (): KubeObject => {
    if (!live) throw new Error('nothing has been written yet');
    return live;
  };
  const apply: Scenario['apply'] = (manager, spec, { force = false, rest } = {}) => {
    const applier = { manager, force, subresource: '', scope: 'main' } as const;
    const applied = applyConfig(things, live, whole(spec, rest), applier, now());
    if (applied) keep(applied.object, applied.settle(applied.object as unknown as KubeObject, live));
  };
  const update: Scenario['update'] = (manager, spec, rest) => {
    const updater: Updater = { manager, subresource: '', scope: 'main' };
    const next = whole(spec, rest) as unknown as KubeObject;
    keep(next as unknown as JsonObject, trackUpdate(things, live, next, [updater], now()));
  };
  return {
    apply,
    update,
    conflicts: (manager, spec) => {
      try {
        apply(manager, spec);
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        return (error.details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`);
      }
      return [];
    },
    spec: () => (current() as KubeObject & { spec: unknown }).spec,
    owned: () =>
      Object.fromEntries(
        (current().metadata.managedFields ?? []).map(({ manager, subresource, fieldsV1 }) => [
          subresource ? `${manager}/${subresource}` : manager,
          fieldsV1?.['f:spec'] ?? fieldsV1,
        ]),
      ),
    object: current,
    store: (change) => {
      live = change(current());
    },
    tick: () => {
      minute += 1;
    },
  };
};
