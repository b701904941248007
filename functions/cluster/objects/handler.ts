import { webCryptoKeys } from '../../../shared/bootstrap/certificates/keys.ts';
import { makeSealedRuntime } from '../../sealed-runtime.ts';
import { makeStepHandler } from '../../step.ts';
import { makeObjectsSteps } from './steps.ts';

const runtime = makeSealedRuntime(process.env);

export const handler = makeStepHandler(
  'cluster-objects',
  makeObjectsSteps({ ...runtime, keys: webCryptoKeys }),
  runtime,
);
