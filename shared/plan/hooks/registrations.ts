import type { ExtensionConfig } from '../../kinds/extension-config/schema.ts';
import { isEmptySelector, selects } from '../../kinds/rules/kubernetes/label-selector.ts';
import { isObjectPaused } from '../status/paused.ts';
import { HOOK_GROUP, type Hook } from './catalog.ts';

/** A handler that can be called. */
export interface Registration {
  /** `<handler>.<ExtensionConfig>`. */
  name: string;
  /** The handler's own name. */
  handler: string;
  hook: string;
  apiVersion: string;
  timeoutSeconds: number;
  failurePolicy: 'Ignore' | 'Fail';
  config: ExtensionConfig;
}

const DEFAULT_TIMEOUT_SECONDS = 10;
const LONGEST_TIMEOUT_SECONDS = 30;

const suffixOf = ({ metadata }: ExtensionConfig): string => `.${metadata.name}`;

const registered = (config: ExtensionConfig): Registration[] =>
  (config.status?.handlers ?? []).map(({ name, requestHook, timeoutSeconds, failurePolicy }) => ({
    name,
    handler: name.endsWith(suffixOf(config)) ? name.slice(0, -suffixOf(config).length) : name,
    hook: requestHook.hook,
    apiVersion: requestHook.apiVersion,
    timeoutSeconds: Math.min(timeoutSeconds || DEFAULT_TIMEOUT_SECONDS, LONGEST_TIMEOUT_SECONDS),
    failurePolicy: failurePolicy ?? 'Fail',
    config,
  }));

/**
 * All handlers, in the order of their names; upstream has no order. If a later discovery fails, the handlers from an
 * earlier one are kept.
 */
export const registrationsOf = (configs: readonly ExtensionConfig[]): Registration[] =>
  configs
    .filter(({ metadata }) => !metadata.deletionTimestamp)
    .flatMap(registered)
    .sort((a, b) => (a.name < b.name ? -1 : 1));

/** Whether the extension must be discovered: the results belong to another generation or are missing. */
export const needsDiscovery = (config: ExtensionConfig): boolean => {
  if (config.metadata.deletionTimestamp || isObjectPaused(config)) return false;
  const found = config.status?.conditions?.find(({ type }) => type === 'Discovered');
  return !found || found.observedGeneration !== config.metadata.generation;
};

const isOf = (hook: Hook) => (registration: Registration) =>
  registration.hook === hook && registration.apiVersion.startsWith(`${HOOK_GROUP}/`);

/** Whether the handler is for objects of a namespace with these labels. */
export const isFor = ({ config }: Registration, labels: Readonly<Record<string, string>> | undefined): boolean => {
  const { namespaceSelector = {} } = config.spec;
  return isEmptySelector(namespaceSelector) || selects(namespaceSelector, { ...labels });
};

/** The handlers of a lifecycle hook for clusters of a namespace with these labels. */
export const handlersOf = (
  registrations: readonly Registration[],
  hook: Hook,
  labels: Readonly<Record<string, string>> | undefined,
): Registration[] => registrations.filter((it) => isOf(hook)(it) && isFor(it, labels));
