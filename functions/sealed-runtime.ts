import { readConfig } from '../shared/config.ts';
import type { Sealer } from '../shared/store/objects/sealer.ts';
import { type Environment, makeRuntime, type Runtime } from './runtime.ts';

/** Loads the sealer with its Encryption SDK when the first Secret is used: most invocations use none. */
const onFirstUse = (keyArn: string): Sealer => {
  let loaded: Promise<Sealer> | undefined;
  const load = (): Promise<Sealer> => {
    loaded ??= import('./kms-sealer.ts').then(({ kmsSealer }) => kmsSealer(keyArn));
    return loaded;
  };
  return {
    seal: async (plaintext, context) => (await load()).seal(plaintext, context),
    open: async (sealed, context) => (await load()).open(sealed, context),
  };
};

/** Like makeRuntime, for functions that read or write Secrets: their data is sealed with the stack's KMS key. */
export const makeSealedRuntime = (environment: Environment): Runtime => {
  const { sealKey } = readConfig(environment, ['sealKey']);
  return makeRuntime(environment, onFirstUse(sealKey));
};
