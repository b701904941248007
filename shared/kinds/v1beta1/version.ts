import type * as z from 'zod';
import type { KubeObject } from '../../kube-api/object.ts';
import type { OpenApiSchema, PrinterColumn, ScaleSubresource, ServedVersion } from '../../kube-api/resource.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { type LegacyStatus, withLegacyStatus, withoutLegacyStatus } from './legacy-status.ts';
import { complete, contextOf, type Rule, toNew, toOld } from './rules.ts';

interface Version {
  schema(): z.ZodType;
  rules: readonly Rule[];
  columns: readonly PrinterColumn[];
  scale?: ScaleSubresource;
  /** Adds what v1beta1's admission adds, beyond what the rules add. */
  start?(old: object): object;
  /** Adds fields that only v1beta1 has, derived from the others. */
  finish?(old: object): object;
  /** v1beta1's own status fields, derived from those of v1beta2. */
  legacy?: LegacyStatus;
}

const NONE: LegacyStatus = { conditions: {} };

const bodyOf = ({ apiVersion: _, kind: __, metadata: ___, ...body }: KubeObject): object => body;

/** v1beta1 of a kind, which Cluster API marks deprecated. */
export const v1beta1 = ({
  schema,
  rules,
  columns,
  scale,
  start = (old) => old,
  finish = (old) => old,
  legacy = NONE,
}: Version): ServedVersion => {
  let made: OpenApiSchema | undefined;
  return {
    name: 'v1beta1',
    deprecated: true,
    // Created at its first use and then cached, because a kind creates a new zod schema each time.
    schema: () => {
      made ??= toOpenApi(schema());
      return made;
    },
    columns,
    scale,
    default: (object) => ({ ...object, ...start(complete(rules, bodyOf(object), contextOf(object)) as object) }),
    toStorage: (object) => toNew(rules, withoutLegacyStatus(legacy, bodyOf(object)), contextOf(object)) as object,
    fromStorage: (object) =>
      finish(withLegacyStatus(legacy, toOld(rules, bodyOf(object), contextOf(object)) as object)),
  };
};
