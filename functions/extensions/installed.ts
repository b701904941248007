import type { Clock } from '../../shared/clock.ts';
import { callHandler } from '../../shared/extensions/client.ts';
import type { CallExtension } from '../../shared/extensions/transport.ts';
import { kinds } from '../../shared/kinds/index.ts';
import { isEmptySelector } from '../../shared/kinds/rules/kubernetes/label-selector.ts';
import type { JsonObject } from '../../shared/kube-api/json.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import type { ObjectClient } from '../../shared/kube-api/storage/client.ts';
import type { Hook } from '../../shared/plan/hooks/catalog.ts';
import { ExtensionError, UnansweredError } from '../../shared/plan/hooks/error.ts';
import { isFor, needsDiscovery, type Registration, registrationsOf } from '../../shared/plan/hooks/registrations.ts';
import type { HandlerAnswer } from '../../shared/plan/topology/hooks/knowledge.ts';
import { discoverExtension } from './discover.ts';

export interface ExtensionDependencies {
  objects: ObjectClient;
  clock: Clock;
  /** Calls an extension; undefined in functions that call none. */
  callExtension?: CallExtension;
}

/** The total time for the calls of one pass: the step must end before its function times out. */
const BUDGET_SECONDS = 75;

export const withinBudget = (
  { clock }: Pick<ExtensionDependencies, 'clock'>,
  call: CallExtension,
  seconds = BUDGET_SECONDS,
): CallExtension => {
  const end = clock.now().getTime() + seconds * 1000;
  return async (asked) => {
    const left = Math.floor((end - clock.now().getTime()) / 1000);
    if (left < 1) throw new UnansweredError(`the calls together took ${seconds} seconds; they are tried again`);
    return call({ ...asked, timeoutSeconds: Math.min(asked.timeoutSeconds, left) });
  };
};

export interface Installed {
  registrations: Registration[];
  /** Labels of the namespace; empty if no selector needs them. */
  labels: Readonly<Record<string, string>>;
}

/** The installed extensions, for objects of a namespace. */
export const lookUp = async (
  deps: ExtensionDependencies,
  call: CallExtension,
  object: KubeObject,
): Promise<Installed> => {
  const { objects } = deps;
  const found = await objects.list(kinds.extensionConfig);
  const configs = await Promise.all(
    found.map((config) => (needsDiscovery(config) ? discoverExtension(deps, call, config) : config)),
  );
  const areSelected = configs.some(({ spec }) => !isEmptySelector(spec.namespaceSelector ?? {}));
  const name = object.metadata.namespace ?? '';
  const namespace = areSelected ? await objects.get(kinds.namespace, { namespace: '', name }) : undefined;
  return { registrations: registrationsOf(configs), labels: namespace?.metadata.labels ?? {} };
};

export const messageOf = (error: unknown): { error: string } => {
  if (error instanceof ExtensionError) return { error: error.message };
  throw error;
};

/**
 * Calls the handler that a class names, for an object of a namespace. If the handler is missing, the error is the same
 * as upstream's.
 */
export const askHandler = async (
  call: CallExtension,
  { registrations, labels }: Installed,
  { hook, handler, body }: { hook: Hook; handler: string; body: JsonObject },
  object: KubeObject,
): Promise<HandlerAnswer> => {
  const what = `failed to call extension handler "${handler}"`;
  const found = registrations.find(({ name }) => name === handler);
  if (!found) {
    const why = `failed to get extension handler "${handler}" from registry: handler with name "${handler}" has not been registered`;
    return { error: `${what}: ${why}` };
  }
  if (found.hook !== hook) return { error: `${what}: handler does not match GroupHook "${hook}"` };
  const { namespace, name } = object.metadata;
  if (!isFor(found, labels)) return { error: `${what}: namespaceSelector did not match object ${namespace}/${name}` };
  try {
    return { response: await callHandler(call, found, hook, body) };
  } catch (error) {
    return messageOf(error);
  }
};
