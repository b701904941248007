import type { Functions } from '../functions.ts';
import { DATA_FUNCTIONS } from './data.ts';
import { SEMVER_FUNCTIONS } from './semver.ts';
import { TEXT_FUNCTIONS } from './text.ts';

/**
 * The functions of sprig that ClusterClass templates can call. Upstream offers all hermetic ones
 * (`sprig.HermeticTxtFuncMap`); the error for one that is missing here names it.
 */
export const SPRIG: Functions = { ...TEXT_FUNCTIONS, ...DATA_FUNCTIONS, ...SEMVER_FUNCTIONS };
