import type { Scenario } from '../scenario.ts';
import { APPLY } from './apply.ts';
import { BAD_INPUT } from './bad-input.ts';
import { CLIENTS } from './clients.ts';
import { CLUSTER_KINDS } from './cluster-kinds.ts';
import { CONVERSIONS } from './conversions.ts';
import { CUSTOM_RESOURCES } from './custom-resources.ts';
import { CUSTOM_VALUES } from './custom-values.ts';
import { DISCOVERY } from './discovery.ts';
import { FIELD_VALIDATION } from './field-validation.ts';
import { LIFE } from './life.ts';
import { LISTS } from './lists.ts';
import { METADATA } from './metadata.ts';
import { NAMESPACES } from './namespaces.ts';
import { NULLS } from './nulls.ts';
import { PATCHES } from './patches.ts';
import { POLICY_CASES } from './policies.ts';
import { REVIEW_CASES } from './reviews.ts';
import { SUBRESOURCES } from './subresources.ts';
import { TOOLS } from './tools.ts';
import { TWIN_CASES } from './twins.ts';
import { UNUSUAL } from './unusual.ts';
import { WATCHES } from './watches.ts';
import { WEBHOOKS } from './webhooks.ts';
import { WRITTEN_POLICIES } from './written-policies.ts';

/** All scenarios, which run against both servers. */
export const SCENARIOS: readonly Scenario[] = [
  ...LIFE,
  ...METADATA,
  ...NULLS,
  ...LISTS,
  ...PATCHES,
  ...FIELD_VALIDATION,
  ...SUBRESOURCES,
  ...WATCHES,
  ...BAD_INPUT,
  ...NAMESPACES,
  ...CLUSTER_KINDS,
  ...DISCOVERY,
  ...REVIEW_CASES,
  ...APPLY,
  ...TWIN_CASES,
  ...CUSTOM_RESOURCES,
  ...CUSTOM_VALUES,
  ...WEBHOOKS,
  ...CONVERSIONS,
  ...CLIENTS,
  ...TOOLS,
  ...UNUSUAL,
  ...WRITTEN_POLICIES,
  ...POLICY_CASES,
];
