import type { TestProject } from 'vitest/node';
import { synth } from '../infra/cli/commands/synth.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The cloud assembly of the whole project. */
    outdir: string;
  }
}

/** Synthesizes once for all files of test/, or reuses an assembly that is up to date; tests read `inject('outdir')`. */
export default async ({ provide }: TestProject): Promise<void> => {
  provide('outdir', (await synth({ quiet: true })).outdir);
};
