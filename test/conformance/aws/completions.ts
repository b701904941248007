import type { Completion } from './completions/completion.ts';
import { MINISTACK } from './completions/ministack.ts';
import { MOTO } from './completions/moto.ts';
import type { EmulatorName } from './emulator.ts';

/** The features that the suite adds to each emulator. */
export const COMPLETIONS: Readonly<Record<EmulatorName, readonly Completion[]>> = { moto: MOTO, ministack: MINISTACK };
