import type * as z from 'zod';
import { anyText, list, options, struct, textMap } from './fields.ts';

/**
 * The parts of RBAC objects. Requirements of Kubernetes itself are left to the validation, whose messages are more
 * specific than a schema's.
 */

export const RBAC_GROUP = 'rbac.authorization.k8s.io';

const texts = list(anyText);

/** Permissions: verbs on resources, or on paths that are not resources. */
const policyRule = options({
  verbs: texts,
  apiGroups: texts,
  resources: texts,
  resourceNames: texts,
  nonResourceURLs: texts,
});

export const rules = list(policyRule);

const requirement = struct({ key: anyText, operator: anyText }, { values: texts });

/** Like the selector of other kinds, but without defaults: it is in a list. */
const selector = options({ matchLabels: textMap, matchExpressions: list(requirement) }).meta({
  'x-kubernetes-map-type': 'atomic',
});

export const aggregationRule = options({ clusterRoleSelectors: list(selector) });

const subject = options({ kind: anyText, apiGroup: anyText, name: anyText, namespace: anyText }).meta({
  'x-kubernetes-map-type': 'atomic',
});

export const bindingSchema = options({
  subjects: list(subject),
  roleRef: options({ apiGroup: anyText, kind: anyText, name: anyText }).meta({ 'x-kubernetes-map-type': 'atomic' }),
});

export type PolicyRule = z.input<typeof policyRule>;
export type RoleSelector = z.input<typeof selector>;
export type Subject = z.input<typeof subject>;
export type RoleRef = NonNullable<z.input<typeof bindingSchema>['roleRef']>;

/** Properties that the definitions of the four kinds have in common. */
export const rbacKind = {
  group: RBAC_GROUP,
  version: 'v1',
  shortNames: [],
  categories: [],
  statusSubresource: false,
  builtIn: true,
  createdByUpdate: true,
  withoutGeneration: true,
} as const;
