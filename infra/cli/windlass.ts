#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { ROOT } from './paths.ts';

// Beside what is compiled. Where nobody may write, everything is compiled at each start, as without it.
enableCompileCache(join(ROOT, 'node_modules', '.cache', 'windlass'));

const { makeProgram } = await import('./program/program.ts');
await makeProgram().parseAsync();
