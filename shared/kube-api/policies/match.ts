import type { KubeObject } from '../object.ts';
import { ADMISSION_GROUP } from '../webhooks/configuration.ts';
import type { Form } from '../webhooks/form.ts';
import { type Asked, selectsShown } from '../webhooks/invocation.ts';
import { matchedForm, selectsNamespace } from '../webhooks/match.ts';
import type { MatchResources } from './policy.ts';

/**
 * Returns the form in which a request is validated if a policy or a binding matches it, or undefined if it does not
 * (k8s.io/apiserver, policy/matching). Without resource rules, this is the form of the request. Without any criteria,
 * everything except admission configurations matches.
 */
export const formOf = async (
  match: MatchResources | undefined,
  asked: Asked,
  object: KubeObject | undefined,
): Promise<Form | undefined> => {
  const { forms, subject, attempt, ports } = asked;
  const { namespaceSelector, objectSelector, resourceRules = [], excludeResourceRules = [], matchPolicy } = match ?? {};
  const [requested] = forms;
  if (subject.resource.group === ADMISSION_GROUP) return undefined;
  const matches = (rules: typeof resourceRules) =>
    matchedForm({ rules, ...(matchPolicy ? { matchPolicy } : {}) }, forms, subject);
  const form = resourceRules.length === 0 ? requested : matches(resourceRules);
  if (!form || matches(excludeResourceRules)) return undefined;
  if (!(await selectsShown(objectSelector, object, asked))) return undefined;
  const labels = () => ports.namespaceLabels(attempt.namespace);
  return (await selectsNamespace(namespaceSelector, subject, object ?? attempt.old, labels)) ? form : undefined;
};
