import type { Clock } from '../../../shared/clock.ts';
import { kinds } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { WriteEvent } from '../../../shared/kube-api/registry/registry.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import type { AdmitRequest } from '../../../shared/kube-api/server/for-user.ts';
import { timedOut } from '../../../shared/kube-api/status-error.ts';
import type { Storage } from '../../../shared/kube-api/storage/storage.ts';
import { admitByWebhooks, type Configured } from '../../../shared/kube-api/webhooks/admission.ts';
import { ADMISSION_GROUP, type WebhookConfiguration } from '../../../shared/kube-api/webhooks/configuration.ts';
import { WebhookFault } from '../../../shared/kube-api/webhooks/errors.ts';
import { hooksOf } from '../../../shared/kube-api/webhooks/hook.ts';
import type { CallWebhook, Ports } from '../../../shared/kube-api/webhooks/invocation.ts';
import type { Log } from '../../../shared/log.ts';
import type { Random } from '../../../shared/random.ts';
import { once, rememberAll, rememberFor } from './remembered-configuration.ts';

export interface WebhookDependencies {
  storage: Storage;
  clock: Clock;
  random: Random;
  log: Log;
  /** Calls webhooks. Without it, none can be called, and webhooks that must not fail cause a refusal. */
  callWebhook?: CallWebhook | undefined;
}

/** All calls of one request end after this time, as upstream's request timeout ends them. */
const REQUEST_SECONDS = 60;

const withinRequest = (call: CallWebhook, clock: Clock): Pick<Ports, 'call' | 'requireTime'> => {
  const end = clock.now().getTime() + REQUEST_SECONDS * 1000;
  const secondsLeft = (): number => {
    const left = Math.floor((end - clock.now().getTime()) / 1000);
    if (left < 1) throw timedOut();
    return left;
  };
  return {
    requireTime: () => void secondsLeft(),
    call: async (asked) => call({ ...asked, timeoutSeconds: Math.min(asked.timeoutSeconds, secondsLeft()) }),
  };
};

const callNothing: CallWebhook = async () => {
  throw new WebhookFault('failed to call webhook: this server calls none');
};

/** The configured webhooks, read at most once in ten seconds. */
const makeConfigured = ({ storage, clock }: WebhookDependencies) => {
  const mutating = rememberAll(storage, kinds.mutatingWebhookConfiguration as ResourceDefinition);
  const validating = rememberAll(storage, kinds.validatingWebhookConfiguration as ResourceDefinition);
  // The type is safe: every stored item was admitted as a configuration.
  const hooksIn = (found: readonly KubeObject[]) => hooksOf(found as readonly WebhookConfiguration[]);
  const [mutatingHooks, validatingHooks] = [once(hooksIn), once(hooksIn)];
  return rememberFor(
    clock,
    async (): Promise<Configured> => ({
      mutating: mutatingHooks(await mutating()),
      validating: validatingHooks(await validating()),
    }),
  );
};

/**
 * Admission by webhooks, and a function to call after each write: this process then uses a new configuration from its
 * next request on.
 */
export const makeWebhooks = (
  deps: WebhookDependencies,
): { admitRequest: AdmitRequest; followWebhooks(event: WriteEvent): Promise<void> } => {
  const { storage, clock, random, log, callWebhook = callNothing } = deps;
  const { get: configured, forget } = makeConfigured(deps);
  const namespaceLabels = async (name: string) => {
    const found = await storage.get(kinds.namespace, '', name);
    return found?.metadata.labels ?? (found ? {} : undefined);
  };
  return {
    admitRequest: (request) =>
      admitByWebhooks({ configured, random, log, namespaceLabels, ...withinRequest(callWebhook, clock) }, request),
    followWebhooks: async ({ resource }) => {
      if (resource.group === ADMISSION_GROUP) forget();
    },
  };
};
