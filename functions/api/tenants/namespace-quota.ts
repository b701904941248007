import type { ResourceQuota } from '../../../shared/kinds/index.ts';
import { resourceQuota } from '../../../shared/kinds/resource-quota/definition.ts';
import type { Registry, WriteEvent } from '../../../shared/kube-api/registry/registry.ts';
import { StatusError } from '../../../shared/kube-api/status-error.ts';

/** The name of the quota that a new namespace gets. */
const NAME = 'windlass-default';

/** `name=number,name=number`, as validated by the stack's settings. */
export const readNamespaceQuota = (text: string | undefined): Readonly<Record<string, string>> | undefined =>
  text === undefined
    ? undefined
    : Object.fromEntries(text.split(',').map((pair) => pair.split('=').map((part) => part.trim()) as [string, string]));

const isReason = (error: unknown, reason: string): boolean => error instanceof StatusError && error.reason === reason;

const unless =
  (reason: string) =>
  (error: unknown): void => {
    if (!isReason(error, reason)) throw error;
  };

/**
 * Creates the quota of the settings in each new namespace, and deletes the quotas of a deleted namespace. The quota is
 * an ordinary object: an administrator may change or delete it for a namespace, but editors may not. An error fails the
 * request, so that no namespace without a limit looks limited.
 */
export const makeFollowNamespaces =
  (registry: Registry, hard: Readonly<Record<string, string>> | undefined) =>
  async ({ type, resource, object }: WriteEvent): Promise<void> => {
    if (resource.group !== '' || resource.kind !== 'Namespace') return;
    const namespace = object.metadata.name;
    if (type === 'created' && hard) {
      const quota: ResourceQuota = {
        apiVersion: 'v1',
        kind: 'ResourceQuota',
        metadata: { name: NAME, namespace },
        spec: { hard },
      };
      await registry.create(resourceQuota, quota).catch(unless('AlreadyExists'));
    }
    if (type !== 'deleted') return;
    const { items } = await registry.list(resourceQuota, { namespace });
    for (const { metadata } of items)
      await registry.delete(resourceQuota, { namespace, name: metadata.name }).catch(unless('NotFound'));
  };
