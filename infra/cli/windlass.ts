#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { ignoreClosedOutput } from './closed-output.ts';
import { ROOT } from './paths.ts';

// Next to the compiled code. If the directory is not writable, everything is compiled at each start.
enableCompileCache(join(ROOT, 'node_modules', '.cache', 'windlass'));

ignoreClosedOutput();
const { makeProgram } = await import('./program/program.ts');
await makeProgram().parseAsync();
