import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunTool } from './run-tool.ts';
import { provideSuiteProgram, provideSuitePrograms } from './suite-program.ts';

/** A computer with or without Go, and the number of its builds. */
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
  const packages = { core: 'example.com/core', own: '.' };
  const provideAll = () => provideSuitePrograms({ suite: 'saw', source, directory, packages }, () => {}, run);
  return { source, directory, provide, provideAll, builds: () => builds };
};

describe('the program of a suite', () => {
  it('is built once, and again when its source changes', () => {
    const { source, provide, builds } = computer(true);
    const first = provide();
    expect(provide()).toBe(first);
    expect(builds()).toBe(1);

    writeFileSync(join(source, 'go.sum'), 'another');
    expect(provide()).not.toBe(first);
    expect(builds()).toBe(2);
  });

  it('may consist of several programs, which are built together, once', () => {
    const { provideAll, builds } = computer(true);
    const folder = provideAll();
    expect(provideAll()).toBe(folder);
    expect(builds()).toBe(2);
    expect(readdirSync(folder).sort()).toEqual(['core', 'own']);
  });

  it('leaves no finished folder behind if one of several cannot be built', () => {
    const { directory, provideAll } = computer(true, true);
    expect(provideAll).toThrow(/could not be built:\nno network/);
    expect(readdirSync(directory).filter((name) => !name.endsWith('.new'))).toEqual([]);
  });

  it('is reported as required if it cannot be built', () => {
    expect(computer(false).provide).toThrow(/the saw suite needs Go/);
    const { provide, builds } = computer(true, true);
    expect(provide).toThrow(/could not be built:\nno network/);
    expect(provide).toThrow();
    expect(builds()).toBe(2);
  });
});
