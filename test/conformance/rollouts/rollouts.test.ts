import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderOfModule } from '../../../infra/cli/conformance/go-module.ts';
import { replay } from './replay.ts';
import { readTranscript } from './transcript.ts';

const MODULE = 'sigs.k8s.io/cluster-api@v1.14.2';
const FOLDER = 'core/reconcilers/machinedeployment/testdata';
const ENDING = '.test.log.golden';

const folder = join(folderOfModule(MODULE), FOLDER);
const names = globSync(`*/*${ENDING}`, { cwd: folder })
  .map((file) => file.slice(0, -ENDING.length))
  .sort();

/** Transcripts of upstream's in-place updates, which Windlass does not implement. */
const IN_PLACE = /^rollingupdate\/in-place /;

const read = (name: string) => readTranscript(readFileSync(join(folder, `${name}${ENDING}`), 'utf8'));

describe("upstream's transcripts of rollouts", () => {
  const rolling = names.filter((name) => name.startsWith('rollingupdate/') && !IN_PLACE.test(name));
  const onDelete = names.filter((name) => name.startsWith('ondelete/'));

  it('are all replayed except those of updates in place', () => {
    expect([rolling.length, onDelete.length]).toEqual([18, 10]);
    expect(names.filter((name) => !IN_PLACE.test(name))).toEqual([...onDelete, ...rolling]);
  });

  it.each([...rolling, ...onDelete])('agree step by step: %s', (name) => {
    const transcript = read(name);
    const ours = replay(transcript);

    for (const [step, event] of transcript.events.entries()) expect([step, ours.events[step]]).toEqual([step, event]);
    expect(ours.final).toEqual(transcript.final);
  });

  it.each(rolling)('do not agree with another number of replicas: %s', (name) => {
    const transcript = read(name);
    const another = { ...transcript, replicas: transcript.replicas + 1 };

    expect(replay(another).events).not.toEqual(transcript.events);
  });

  it('are refused if they contain an unknown line', () => {
    expect(() => readTranscript('[MS controller] - ms1 did something else')).toThrow(/did something else/);
  });
});
