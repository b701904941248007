import type { z } from 'zod';
import type { KubeObject } from '../../kube-api/object.ts';
import type { PrinterColumn, ScaleSubresource, ServedVersion } from '../../kube-api/resource.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { complete, contextOf, type Rule, toNew, toOld } from './rules.ts';

interface Version {
  schema(): z.ZodType;
  rules: readonly Rule[];
  columns: readonly PrinterColumn[];
  scale?: ScaleSubresource;
  /** What v1beta1 has besides, derived from the rest of it. */
  finish?(old: object): object;
}

const bodyOf = ({ apiVersion: _, kind: __, metadata: ___, ...body }: KubeObject): object => body;

/** v1beta1 of a kind, which Cluster API marks deprecated. */
export const v1beta1 = ({ schema, rules, columns, scale, finish = (old) => old }: Version): ServedVersion => ({
  name: 'v1beta1',
  deprecated: true,
  schema: () => toOpenApi(schema()),
  columns,
  scale,
  default: (object) => ({ ...object, ...(complete(rules, bodyOf(object), contextOf(object)) as object) }),
  toStorage: (object) => toNew(rules, bodyOf(object), contextOf(object)) as object,
  fromStorage: (object) => finish(toOld(rules, bodyOf(object), contextOf(object)) as object),
});
