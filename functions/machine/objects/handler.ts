import { controllerScopeOf } from '../../aws-scope.ts';
import { makeSealedRuntime } from '../../sealed-runtime.ts';
import { makeStepHandler } from '../../step.ts';
import { makeBootstrapStores } from '../bootstrap-stores.ts';
import { makeMachineObjectsSteps } from './steps.ts';

const runtime = makeSealedRuntime(process.env);

export const handler = makeStepHandler(
  'machine-objects',
  makeMachineObjectsSteps({ ...runtime, scopeOf: controllerScopeOf, stores: makeBootstrapStores() }),
  runtime,
);
