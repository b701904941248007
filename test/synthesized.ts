import type { TestProject } from 'vitest/node';
import { synth } from '../infra/cli/commands/synth.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The cloud assembly of the whole project. */
    outdir: string;
  }
}

/** Synthesizes once for all files of test/, or finds the assembly still good; tests read `inject('outdir')`. */
export default async ({ provide }: TestProject): Promise<void> => {
  provide('outdir', (await synth({ quiet: true })).outdir);
};
