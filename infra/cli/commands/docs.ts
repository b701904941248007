import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { spokeRoleFile } from '../../spoke/template.ts';
import { commandLinePage } from '../docs/command-line.ts';
import { machinesOf } from '../docs/definition.ts';
import { withDiagrams } from '../docs/document.ts';
import { eventRows } from '../docs/event-catalogues.ts';
import { eventsPage } from '../docs/events-page.ts';
import { writePerformance } from '../docs/performance/write.ts';
import { pictureOf } from '../docs/picture.ts';
import { REFERENCE, referencePages } from '../docs/reference.ts';
import { ROOT } from '../paths.ts';
import { synth } from './synth.ts';

const VITEST = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');

/** Runs the test that tries every kind of drift and writes docs/drift.md from its results. */
const writeDrift = (): void => {
  execFileSync(process.execPath, [VITEST, 'run', 'test/drift', '--update'], { cwd: ROOT, stdio: ['ignore', 2, 2] });
};

/** The commands' own help is the source of docs/command-line.md. */
const writeCommandLine = (program: Command): void =>
  writeFileSync(join(ROOT, 'docs', 'command-line.md'), commandLinePage(program));

/** The catalogues of the functions are the source of docs/events.md. */
const writeEvents = (): void => writeFileSync(join(ROOT, 'docs', 'events.md'), eventsPage(eventRows()));

/** The grants of the functions are the source of docs/spoke-role.yaml. */
const writeSpokeRole = (): void => writeFileSync(join(ROOT, 'docs', 'spoke-role.yaml'), spokeRoleFile());

const drawArchitecture = async (): Promise<void> => {
  const [source, picture] = ['dot', 'svg'].map((extension) => join(ROOT, 'docs', `architecture.${extension}`));
  writeFileSync(picture ?? '', await pictureOf(readFileSync(source ?? '', 'utf8')));
};

/** Regenerates the pages of docs/reference, and removes those of deleted kinds. */
const writeReference = async (): Promise<void> => {
  const pages = await referencePages();
  rmSync(REFERENCE, { recursive: true, force: true });
  mkdirSync(REFERENCE, { recursive: true });
  for (const [file, page] of pages) writeFileSync(join(REFERENCE, file), page);
};

/**
 * Draws docs/architecture.svg and the diagrams of docs/architecture.md, which come from the synthesized template, and
 * writes docs/drift.md, docs/command-line.md, docs/events.md, docs/spoke-role.yaml, docs/reference, and the figures of docs/performance.md. Resolves to whether the diagrams changed.
 */
export const docs = async (program: Command): Promise<boolean> => {
  await writeReference();
  writeDrift();
  writeCommandLine(program);
  writeEvents();
  writeSpokeRole();
  await drawArchitecture();
  await writePerformance();
  const file = join(ROOT, 'docs', 'architecture.md');
  const { outdir } = await synth({ quiet: true });
  const before = readFileSync(file, 'utf8');
  const after = withDiagrams(before, machinesOf(outdir));
  writeFileSync(file, after);
  return after !== before;
};
