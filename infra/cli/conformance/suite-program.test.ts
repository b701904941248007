import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunTool } from './run-tool.ts';
import { provideSuiteProgram } from './suite-program.ts';

/** A computer with Go, or without, and the builds that it made. */
const computer = (hasGo: boolean, fails = false) => {
  const directory = mkdtempSync(join(tmpdir(), 'windlass-suite-'));
  const source = mkdtempSync(join(tmpdir(), 'windlass-suite-source-'));
  writeFileSync(join(source, 'main.go'), 'package main');
  let builds = 0;
  const run: RunTool = (command, args) => {
    if (!hasGo) return { status: null, stdout: '', stderr: '' };
    if (command === 'nice') {
      builds += 1;
      if (fails) return { status: 1, stdout: '', stderr: 'no network' };
      writeFileSync(String(args[args.indexOf('-o') + 1]), 'program');
    }
    return { status: 0, stdout: '', stderr: '' };
  };
  const provide = () => provideSuiteProgram({ suite: 'saw', source, directory }, () => {}, run);
  return { source, provide, builds: () => builds };
};

describe('the program of a suite', () => {
  it('is built once, and anew when its source changes', () => {
    const { source, provide, builds } = computer(true);
    const first = provide();
    expect(provide()).toBe(first);
    expect(builds()).toBe(1);

    writeFileSync(join(source, 'go.sum'), 'another');
    expect(provide()).not.toBe(first);
    expect(builds()).toBe(2);
  });

  it('is asked for in so many words where it cannot be built', () => {
    expect(computer(false).provide).toThrow(/the saw suite needs Go/);
    const { provide, builds } = computer(true, true);
    expect(provide).toThrow(/could not be built:\nno network/);
    expect(provide).toThrow();
    expect(builds()).toBe(2);
  });
});
