import type { KubeObject } from '../object.ts';

/** The parts of admission configurations that select requests and webhooks (admissionregistration.k8s.io/v1). */

export interface Rule {
  apiGroups?: string[];
  apiVersions?: string[];
  resources?: string[];
  operations?: string[];
  scope?: string;
  /** Only in admission policies. If empty, any name matches. */
  resourceNames?: string[];
}

export interface SelectorRequirement {
  key: string;
  operator: string;
  values?: string[];
}

export interface Selector {
  matchLabels?: Record<string, string>;
  matchExpressions?: SelectorRequirement[];
}

/** A named CEL expression; all conditions must be true. */
export interface MatchCondition {
  name?: string;
  expression?: string;
}

export interface ClientConfig {
  url?: string;
  service?: { namespace?: string; name?: string; path?: string; port?: number };
  /** Base64-encoded PEM. */
  caBundle?: string;
}

/** A stored webhook, with defaults applied by admission. */
export interface Webhook {
  name?: string;
  clientConfig?: ClientConfig;
  rules?: Rule[];
  failurePolicy?: string;
  matchPolicy?: string;
  namespaceSelector?: Selector;
  objectSelector?: Selector;
  sideEffects?: string;
  timeoutSeconds?: number;
  admissionReviewVersions?: string[];
  matchConditions?: MatchCondition[];
  /** Only for mutating webhooks. */
  reinvocationPolicy?: string;
}

export interface WebhookConfiguration extends KubeObject {
  webhooks?: Webhook[];
}

export const ADMISSION_GROUP = 'admissionregistration.k8s.io';
