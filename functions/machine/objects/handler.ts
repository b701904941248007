import { makeBootstrapDelivery } from '../../providers/aws/bootstrap-remains.ts';
import { makeBootstrapStores } from '../../providers/aws/bootstrap-stores.ts';
import { runtimeScopeOf } from '../../providers/aws/identity/runtime-scope.ts';
import { makeSealedRuntime } from '../../sealed-runtime.ts';
import { makeStepHandler } from '../../step.ts';
import { makeMachineObjectsSteps } from './steps.ts';

const runtime = makeSealedRuntime(process.env);
const scopeOf = runtimeScopeOf(runtime, process.env);
const deliveries = { aws: makeBootstrapDelivery({ ...runtime, scopeOf, stores: makeBootstrapStores() }) };

export const handler = makeStepHandler(
  'machine-objects',
  makeMachineObjectsSteps({ ...runtime, deliveries, apiUrl: runtime.config.apiUrl }),
  runtime,
);
