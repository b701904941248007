import type { Clock } from '../../../shared/clock.ts';
import { kinds } from '../../../shared/kinds/index.ts';
import { apiVersionOf } from '../../../shared/kube-api/decode.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { admitByPolicies, boundPolicies } from '../../../shared/kube-api/policies/admit.ts';
import type { AdmissionPolicy, PolicyBinding } from '../../../shared/kube-api/policies/policy.ts';
import type { WriteEvent } from '../../../shared/kube-api/registry/registry.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import type { AdmitRequest } from '../../../shared/kube-api/server/for-user.ts';
import type { Storage } from '../../../shared/kube-api/storage/storage.ts';
import { servedResources } from '../../../shared/kube-api/versions/served.ts';
import { ADMISSION_GROUP } from '../../../shared/kube-api/webhooks/configuration.ts';
import { once, rememberAll, rememberFor } from './remembered-configuration.ts';

export interface PolicyDependencies {
  /** Reads objects of all served kinds, including custom ones. */
  storage: Storage;
  clock: Clock;
  /** The kinds that are part of the server. */
  resources: readonly ResourceDefinition[];
  /** The kinds that clients have defined. */
  furtherResources(): Promise<readonly ResourceDefinition[]>;
}

/** The bindings in force, read at most once in ten seconds. */
const makeConfigured = ({ storage, clock }: PolicyDependencies) => {
  const policies = rememberAll(storage, kinds.validatingAdmissionPolicy as ResourceDefinition);
  const bindings = rememberAll(storage, kinds.validatingAdmissionPolicyBinding as ResourceDefinition);
  // The type is safe: every stored item was admitted as a policy or a binding.
  const bound = once((found: readonly KubeObject[], of: readonly KubeObject[]) =>
    boundPolicies(found as readonly AdmissionPolicy[], of as readonly PolicyBinding[]),
  );
  return rememberFor(clock, async () => bound(await policies(), await bindings()));
};

/**
 * Admission by policies, before that of `next`, and a function to call after each write: this process then uses a new
 * policy from its next request on.
 */
export const makePolicies = (
  deps: PolicyDependencies,
  next: AdmitRequest,
): { admitRequest: AdmitRequest; followPolicies(event: WriteEvent): Promise<void> } => {
  const { storage, resources, furtherResources } = deps;
  const { get: configured, forget } = makeConfigured(deps);
  const served = servedResources(resources);
  const namespace = (name: string) => storage.get(kinds.namespace, '', name);
  const findKind = async (apiVersion: string, kind: string): Promise<ResourceDefinition | undefined> => {
    const is = (one: ResourceDefinition): boolean => one.kind === kind && apiVersionOf(one) === apiVersion;
    return served.find(is) ?? (await furtherResources()).find(is);
  };
  const namespaceLabels = async (name: string) => {
    const found = await namespace(name);
    return found?.metadata.labels ?? (found ? {} : undefined);
  };
  const ports = { configured, storage, findKind, namespace, namespaceLabels };
  return {
    admitRequest: (request) => admitByPolicies(ports, next(request), request),
    followPolicies: async ({ resource }) => {
      if (resource.group === ADMISSION_GROUP) forget();
    },
  };
};
