import { isObject } from '../json.ts';
import type { Registry } from '../registry.ts';
import type { Action } from '../resource.ts';
import { badRequest, notFound } from '../status-error.ts';
import { readBody } from './body.ts';
import { type Call, keyOf } from './call.ts';
import { readDryRun } from './query.ts';
import { respond } from './respond.ts';

/** POST to an action of an object. */
export const act = async (call: Call): Promise<Response> => {
  const { resource, registry, subresource = '', name, clock, query, accepted } = call;
  const action = resource.actions?.[subresource];
  if (!action) throw notFound(resource, String(name));
  const body = await readBody(call.request);
  if (!isObject(body)) throw badRequest(`the body of the request has to be ${action.kind}`);
  const dryRun = readDryRun(query, 'CreateOptions');
  // A definition does not say what its actions work with: it is the registry that serves it.
  const { run } = action as Action<Registry>;
  const answer = await run({ registry, key: keyOf(call), body, dryRun, now: clock.now() });
  return respond(answer, { status: 201, format: accepted.format });
};
