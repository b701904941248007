import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../shared/clock.ts';
import { discover } from '../../shared/extensions/client.ts';
import type { CallExtension } from '../../shared/extensions/transport.ts';
import { type ExtensionConfig, type ExtensionHandler, kinds } from '../../shared/kinds/index.ts';
import type { ObjectClient } from '../../shared/kube-api/storage/client.ts';
import { ExtensionError } from '../../shared/plan/hooks/error.ts';
import type { ConditionClaim } from '../../shared/plan/status/conditions.ts';
import { withConditions } from '../../shared/plan/status/conditions.ts';

interface Dependencies {
  objects: ObjectClient;
  clock: Clock;
}

interface Found {
  /** Undefined if discovery has failed: the handlers that were found before remain. */
  handlers?: ExtensionHandler[];
  claim: ConditionClaim;
}

const ask = async (call: CallExtension, config: ExtensionConfig): Promise<Found> => {
  const type = 'Discovered';
  try {
    const handlers = await discover(call, config);
    return { handlers, claim: { type, status: 'True', reason: 'Discovered', message: '' } };
  } catch (error) {
    if (!(error instanceof ExtensionError)) throw error;
    const message = `Error in discovery: ${error.message}`;
    return { claim: { type, status: 'False', reason: 'NotDiscovered', message } };
  }
};

const withFound = (config: ExtensionConfig, { handlers, claim }: Found, now: Date): ExtensionConfig => {
  const { status, metadata } = config;
  const notPaused: ConditionClaim = { type: 'Paused', status: 'False', reason: 'NotPaused', message: '' };
  const conditions = withConditions(status?.conditions, [claim, notPaused], metadata.generation, now);
  return { ...config, status: { ...status, ...(handlers ? { handlers } : {}), conditions } };
};

/**
 * Calls an extension for its handlers and records them. The messages are those of upstream's ExtensionConfig
 * reconciler. An answer is dropped if the generation has changed since the call. Returns the current ExtensionConfig.
 */
export const discoverExtension = async (
  { objects, clock }: Dependencies,
  call: CallExtension,
  config: ExtensionConfig,
): Promise<ExtensionConfig> => {
  const found = await ask(call, config);
  const key = { namespace: '', name: config.metadata.name };
  const written = await objects.mutate(
    kinds.extensionConfig,
    key,
    (current) => {
      if (!isDeepStrictEqual(current.spec, config.spec)) return undefined;
      const next = withFound(current, found, clock.now());
      return isDeepStrictEqual(next, current) ? undefined : next;
    },
    { from: config },
  );
  return written ?? config;
};
