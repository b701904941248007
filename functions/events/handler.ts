import { controllerScopeOf } from '../aws-scope.ts';
import { makeFleets } from '../fleet.ts';
import { makeRuntime } from '../runtime.ts';
import { handleEvent } from './handle.ts';

const runtime = makeRuntime(process.env);
const fleet = makeFleets();

/** Invoked by the rules of EventBridge. */
export const handler = (event: unknown) =>
  handleEvent({ ...runtime, log: runtime.log.with({ function: 'events' }), scopeOf: controllerScopeOf, fleet }, event);
