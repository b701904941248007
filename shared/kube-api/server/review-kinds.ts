import type { OpenApiSchema, ResourceDefinition } from '../resource.ts';

/** Kinds of reviews that are answered and not stored, with all fields that a client may set in them. */

const TEXT: OpenApiSchema = { type: 'string' };
const FLAG: OpenApiSchema = { type: 'boolean' };
const listOf = (items: OpenApiSchema): OpenApiSchema => ({ type: 'array', items });
const struct = (properties: Record<string, OpenApiSchema>): OpenApiSchema => ({ type: 'object', properties });
const TEXTS = listOf(TEXT);
const EXTRA: OpenApiSchema = { type: 'object', additionalProperties: TEXTS };

const SELECTOR = struct({
  rawSelector: TEXT,
  requirements: listOf(struct({ key: TEXT, operator: TEXT, values: TEXTS })),
});

const RESOURCE = struct({
  namespace: TEXT,
  verb: TEXT,
  group: TEXT,
  version: TEXT,
  resource: TEXT,
  subresource: TEXT,
  name: TEXT,
  fieldSelector: SELECTOR,
  labelSelector: SELECTOR,
});

const ACCESS = { resourceAttributes: RESOURCE, nonResourceAttributes: struct({ path: TEXT, verb: TEXT }) };
const SUBJECT = { user: TEXT, groups: TEXTS, extra: EXTRA, uid: TEXT };
const DECISION = struct({ allowed: FLAG, denied: FLAG, reason: TEXT, evaluationError: TEXT });

const RULES = struct({
  resourceRules: listOf(struct({ verbs: TEXTS, apiGroups: TEXTS, resources: TEXTS, resourceNames: TEXTS })),
  nonResourceRules: listOf(struct({ verbs: TEXTS, nonResourceURLs: TEXTS })),
  incomplete: FLAG,
  evaluationError: TEXT,
});

const USER_INFO = struct({ userInfo: struct({ username: TEXT, uid: TEXT, groups: TEXTS, extra: EXTRA }) });

const KINDS = [
  'SelfSubjectAccessReview',
  'SelfSubjectRulesReview',
  'SubjectAccessReview',
  'LocalSubjectAccessReview',
  'SelfSubjectReview',
] as const;

type ReviewKind = (typeof KINDS)[number];

const SCHEMAS: Readonly<Record<ReviewKind, Record<string, OpenApiSchema>>> = {
  SelfSubjectAccessReview: { spec: struct(ACCESS), status: DECISION },
  SelfSubjectRulesReview: { spec: struct({ namespace: TEXT }), status: RULES },
  SubjectAccessReview: { spec: struct({ ...ACCESS, ...SUBJECT }), status: DECISION },
  LocalSubjectAccessReview: { spec: struct({ ...ACCESS, ...SUBJECT }), status: DECISION },
  SelfSubjectReview: { status: USER_INFO },
};

export type ReviewDefinition = ResourceDefinition & { kind: ReviewKind };

const definitionOf = (kind: ReviewKind): ReviewDefinition => ({
  group: kind === 'SelfSubjectReview' ? 'authentication.k8s.io' : 'authorization.k8s.io',
  version: 'v1',
  kind,
  plural: `${kind.toLowerCase()}s`,
  singular: kind.toLowerCase(),
  shortNames: [],
  categories: [],
  namespaced: kind === 'LocalSubjectAccessReview',
  schema: struct(SCHEMAS[kind]),
  statusSubresource: false,
  columns: [],
  builtIn: true,
});

export const REVIEWS: readonly ReviewDefinition[] = KINDS.map(definitionOf);

/** The review that a request is for; `namespace` is that of the URL. */
export type Review = ReviewDefinition & { namespace: string };

/** A selector as text or by its requirements. */
export interface SelectorAttributes {
  rawSelector?: string;
  requirements?: readonly { key?: string; operator?: string; values?: readonly string[] }[];
}

/** The spec of a review of access. */
export interface AccessSpec {
  resourceAttributes?: {
    namespace?: string;
    verb?: string;
    group?: string;
    version?: string;
    resource?: string;
    subresource?: string;
    name?: string;
    fieldSelector?: SelectorAttributes;
    labelSelector?: SelectorAttributes;
  };
  nonResourceAttributes?: { path?: string; verb?: string };
  user?: string;
  groups?: readonly string[];
}
