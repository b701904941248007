import { runtimeScopeOf } from '../identity/runtime-scope.ts';
import { makeSealedRuntime } from '../sealed-runtime.ts';
import { makeRepairs, makeScheduledFleets } from './fleet.ts';
import { sweep } from './sweep.ts';

const runtime = makeSealedRuntime(process.env);
const scopeOf = runtimeScopeOf(runtime, process.env);
const fleet = makeScheduledFleets();
const repairs = makeRepairs();

/** Invoked by the schedule; what is in the event does not matter. */
export const handler = () =>
  sweep({ ...runtime, scopeOf, log: runtime.log.with({ function: 'drift' }), fleet, repairs });
