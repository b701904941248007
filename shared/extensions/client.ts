import type { ExtensionConfig, ExtensionHandler } from '../kinds/extension-config/schema.ts';
import type { JsonObject } from '../kube-api/json.ts';
import { groupHook, HOOK_API_VERSION, type Hook } from '../plan/hooks/catalog.ts';
import { discoveredHandlers } from '../plan/hooks/discovery.ts';
import { ExtensionError, UnansweredError } from '../plan/hooks/error.ts';
import type { Registration } from '../plan/hooks/registrations.ts';
import { aggregated, type LifecycleResponse, successOf } from '../plan/hooks/responses.ts';
import type { CallExtension } from './transport.ts';

const DISCOVERY_TIMEOUT_SECONDS = 10;

/** Prefixes an error with the failed operation, and keeps its class. */
const prefixed = (what: string, error: unknown): unknown => {
  if (!(error instanceof ExtensionError)) return error;
  const Kind = error instanceof UnansweredError ? UnansweredError : ExtensionError;
  return new Kind(`${what}: ${error.message}`);
};

const requestOf = (hook: string, body: JsonObject): JsonObject => ({
  apiVersion: HOOK_API_VERSION,
  kind: `${hook}Request`,
  ...body,
});

/** Settings of the request take precedence over those of the ExtensionConfig. */
const withSettings = ({ config }: Registration, body: JsonObject): JsonObject => {
  const settings = { ...config.spec.settings, ...(body.settings as object | undefined) };
  return Object.keys(settings).length > 0 ? { ...body, settings } : body;
};

/**
 * Calls one handler of a hook (CallExtension in internal/runtime/client). Undefined if it did not answer and its
 * failure policy is to continue. Throws ExtensionError with upstream's message.
 */
export const callHandler = async (
  call: CallExtension,
  registration: Registration,
  hook: Hook,
  body: JsonObject,
): Promise<JsonObject | undefined> => {
  const { config, name, handler, timeoutSeconds, failurePolicy } = registration;
  const request = requestOf(hook, withSettings(registration, body));
  const what = 'call extension handler';
  let answer: unknown;
  try {
    answer = await call({ config, hook, handler, request, timeoutSeconds });
  } catch (error) {
    if (error instanceof UnansweredError && failurePolicy === 'Ignore') return undefined;
    throw prefixed(`failed to ${what} "${name}"`, error);
  }
  return successOf(answer, what, name);
};

/**
 * Calls all handlers of a lifecycle hook, one after the other, until one fails (CallAllExtensions). Throws
 * ExtensionError.
 */
export const callAll = async (
  call: CallExtension,
  handlers: readonly Registration[],
  hook: Hook,
  body: JsonObject,
): Promise<LifecycleResponse> => {
  const responses: JsonObject[] = [];
  for (const registration of handlers) {
    try {
      const response = await callHandler(call, registration, hook, body);
      if (response) responses.push(response);
    } catch (error) {
      throw prefixed(`failed to call extension handlers for hook "${groupHook(hook)}"`, error);
    }
  }
  return aggregated(responses);
};

/** Queries an extension for its handlers. Throws ExtensionError. */
export const discover = async (call: CallExtension, config: ExtensionConfig): Promise<ExtensionHandler[]> => {
  const { name } = config.metadata;
  const hook = 'Discovery';
  try {
    const answer = await call({
      config,
      hook,
      request: requestOf(hook, {}),
      timeoutSeconds: DISCOVERY_TIMEOUT_SECONDS,
    });
    return discoveredHandlers(successOf(answer, 'discover extension', name), name);
  } catch (error) {
    const isSaid = error instanceof ExtensionError && error.message.startsWith('failed to discover extension');
    throw isSaid ? error : prefixed(`failed to discover extension "${name}"`, error);
  }
};
