import type { KubeObject } from '../object.ts';

/** The parts of admission configurations that decide what is asked of whom (admissionregistration.k8s.io/v1). */

export interface Rule {
  apiGroups?: string[];
  apiVersions?: string[];
  resources?: string[];
  operations?: string[];
  scope?: string;
  /** Of admission policies only: any name where there are none. */
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

/** An expression of CEL with a name; all have to be true. */
export interface MatchCondition {
  name?: string;
  expression?: string;
}

export interface ClientConfig {
  url?: string;
  service?: { namespace?: string; name?: string; path?: string; port?: number };
  /** PEM in base64. */
  caBundle?: string;
}

/** A webhook as it is stored: admission has set what was left out. */
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
  /** Of mutating webhooks only. */
  reinvocationPolicy?: string;
}

export interface WebhookConfiguration extends KubeObject {
  webhooks?: Webhook[];
}

export const ADMISSION_GROUP = 'admissionregistration.k8s.io';
