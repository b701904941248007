import type { Functions } from '../functions.ts';
import { DATA_FUNCTIONS } from './data.ts';
import { SEMVER_FUNCTIONS } from './semver.ts';
import { TEXT_FUNCTIONS } from './text.ts';

/**
 * The functions of sprig that templates of a ClusterClass may call. Upstream serves all that are hermetic
 * (`sprig.HermeticTxtFuncMap`); those that are missing here are refused by their name.
 */
export const SPRIG: Functions = { ...TEXT_FUNCTIONS, ...DATA_FUNCTIONS, ...SEMVER_FUNCTIONS };
