/** The recording of the demo in the README. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../paths.ts';
import { animationOf } from './animation.ts';
import { withoutPauses, withTyping } from './pace.ts';
import { record } from './record.ts';
import { framesOf } from './terminal.ts';

export const DEMO_RECORDING = join(ROOT, 'docs', 'images', 'demo.svg');

const SIZE = { columns: 104, rows: 36 } as const;
const SECONDS = { interval: 0.2, longestPause: 1, perKey: 0.08, hold: 6 } as const;

/** Runs the demo, and writes its output as an animation to docs/images/demo.svg. */
export const recordDemo = async (): Promise<void> => {
  const chunks = withTyping(
    'npm run demo',
    withoutPauses(record('npm run --silent demo', SIZE), SECONDS.longestPause),
    SECONDS.perKey,
  );
  const frames = await framesOf(chunks, SIZE, SECONDS.interval);
  const title = 'npm run demo: a cluster of three control plane machines and three workers comes up';
  writeFileSync(DEMO_RECORDING, animationOf(frames, { size: SIZE, title, hold: SECONDS.hold }));
};
