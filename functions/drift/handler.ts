import { makeFleets } from '../fleet.ts';
import { makeSealedRuntime } from '../sealed-runtime.ts';
import { sweep } from './sweep.ts';

const runtime = makeSealedRuntime(process.env);
const fleet = makeFleets();

/** Invoked by the schedule; what is in the event does not matter. */
export const handler = () => sweep({ ...runtime, log: runtime.log.with({ function: 'drift' }), fleet });
