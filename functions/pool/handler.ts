import { makeSealedRuntime } from '../sealed-runtime.ts';
import { makeStepHandler } from '../step.ts';
import { makePoolObjectsSteps } from './steps.ts';

const runtime = makeSealedRuntime(process.env);

export const handler = makeStepHandler('pool-objects', makePoolObjectsSteps(runtime), runtime);
