/** Measures sweeps beside hanging API servers for `npm run bench -- isolation`, and prints one JSON array. */
import { sweepBeside } from './sweeps.ts';

const found = [];
for (const hanging of [0, 100]) found.push(await sweepBeside(hanging));
process.stdout.write(`${JSON.stringify(found)}\n`);
