import * as z from 'zod';
import type { ExtensionHandler } from '../../kinds/extension-config/schema.ts';
import { checkDnsLabel } from '../../kube-api/names.ts';
import { isKnownHook } from './catalog.ts';
import { ExtensionError } from './error.ts';

const handler = z.object({
  name: z.string(),
  requestHook: z.object({ apiVersion: z.string(), hook: z.string() }),
  timeoutSeconds: z.number().int().nullish(),
  failurePolicy: z.string().nullish(),
});

const response = z.object({ handlers: z.array(handler).max(512).nullish() });

type Discovered = z.output<typeof handler>;

const LONGEST_TIMEOUT_SECONDS = 30;
const DEFAULT_TIMEOUT_SECONDS = 10;

const isPolicy = (policy: string): policy is 'Ignore' | 'Fail' => policy === 'Ignore' || policy === 'Fail';

const faultsOf = (found: Discovered, before: readonly Discovered[]): string[] => {
  const { name, requestHook, timeoutSeconds, failurePolicy } = found;
  const { apiVersion, hook } = requestHook;
  const wrongName = checkDnsLabel(name);
  const seconds = timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS;
  return [
    ...(before.some((other) => other.name === name) ? [`duplicate name for handler ${name} found`] : []),
    ...(wrongName.length > 0 ? [`handler name ${name} is not valid: [${wrongName.join(' ')}]`] : []),
    ...(seconds < 0 || seconds > LONGEST_TIMEOUT_SECONDS
      ? [`handler ${name} timeoutSeconds ${seconds} must be between 0 and ${LONGEST_TIMEOUT_SECONDS}`]
      : []),
    ...(isPolicy(failurePolicy ?? 'Fail')
      ? []
      : [`handler ${name} failurePolicy ${failurePolicy} must equal "Ignore" or "Fail"`]),
    ...(isKnownHook(apiVersion, hook)
      ? []
      : [`handler ${name} requestHook ${apiVersion}/${hook} is not in the Runtime SDK catalog`]),
  ];
};

/**
 * The handlers in a response of the hook Discovery, with defaults and with names for the ExtensionConfig
 * (defaultAndValidateDiscoveryResponse). Throws ExtensionError for an invalid response.
 */
export const discoveredHandlers = (answer: unknown, config: string): ExtensionHandler[] => {
  const read = response.safeParse(answer);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new ExtensionError(`failed to decode response: ${issue?.path.join('.')}: ${issue?.message}`);
  }
  const handlers = read.data.handlers ?? [];
  const faults = handlers.flatMap((found, index) => faultsOf(found, handlers.slice(0, index)));
  if (faults.length > 0) {
    const all = faults.length === 1 ? faults[0] : `[${faults.join(', ')}]`;
    throw new ExtensionError(`failed to validate discovery response: ${all}`);
  }
  return handlers.map(({ name, requestHook, timeoutSeconds, failurePolicy }) => ({
    name: `${name}.${config}`,
    requestHook,
    // As in upstream, 0 also means the default.
    timeoutSeconds: timeoutSeconds || DEFAULT_TIMEOUT_SECONDS,
    failurePolicy: failurePolicy === 'Ignore' ? 'Ignore' : 'Fail',
  }));
};
