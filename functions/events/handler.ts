import { withoutQuotes } from '../../shared/decode/describe-error.ts';
import { makeEventPort } from '../providers/aws/events/port.ts';
import { makeFleets } from '../providers/aws/fleet.ts';
import { runtimeScopeOf } from '../providers/aws/identity/runtime-scope.ts';
import { makeSealedRuntime } from '../sealed-runtime.ts';
import { createFindOwners } from './find-owners.ts';
import { handleEvent } from './handle.ts';

const runtime = makeSealedRuntime(process.env);
const scopeOf = runtimeScopeOf(runtime, process.env);
const log = runtime.log.with({ function: 'events' });
const findOwners = createFindOwners({ ...runtime, log });
const providers = { aws: makeEventPort({ ...runtime, scopeOf, fleet: makeFleets() }) };

/** Invoked by EventBridge rules. */
export const handler = async (event: unknown) => {
  try {
    return await handleEvent({ ...runtime, log, findOwners, providers }, event);
  } catch (error) {
    throw withoutQuotes(error);
  }
};
