import { webCryptoKeys } from '../../../shared/bootstrap/certificates/keys.ts';
import { readReach } from '../../../shared/config.ts';
import { makeCallExtension } from '../../extensions/call.ts';
import { makeSealedRuntime } from '../../sealed-runtime.ts';
import { makeStepHandler } from '../../step.ts';
import { makeObjectsSteps } from './steps.ts';

const runtime = makeSealedRuntime(process.env);
const callExtension = makeCallExtension({
  deadline: (milliseconds) => AbortSignal.timeout(milliseconds),
  reach: readReach(process.env),
});

export const handler = makeStepHandler(
  'cluster-objects',
  makeObjectsSteps({ ...runtime, keys: webCryptoKeys, callExtension }),
  runtime,
);
