import { createKmsClient } from '../shared/aws/clients/kms.ts';
import { readConfig } from '../shared/config.ts';
import { createKmsSealer } from '../shared/store/sealer.ts';
import { type Environment, makeRuntime, type Runtime } from './runtime.ts';

/** As makeRuntime, for functions that read or write Secrets: their data is sealed with the stack's KMS key. */
export const makeSealedRuntime = (environment: Environment): Runtime => {
  const { sealKey: keyArn } = readConfig(environment, ['sealKey']);
  return makeRuntime(environment, createKmsSealer({ keyArn, kms: (region) => createKmsClient({ region }) }));
};
