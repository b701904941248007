import { describe, expect, it } from 'vitest';
import { folderOfModule } from './go-module.ts';

const answers =
  (stdout: string, stderr = '') =>
  () => ({ status: stdout ? 0 : 1, stdout, stderr });

describe('the folder of a Go module', () => {
  it('is the one that Go reports', () => {
    expect(folderOfModule('example.com/a@v1.0.0', answers('{"Dir":"/cache/a@v1.0.0"}'))).toBe('/cache/a@v1.0.0');
  });

  it.each([
    ['{"Error":"no such module"}', ''],
    ['', 'no such module'],
  ])("is reported as missing, with Go's message", (stdout, stderr) => {
    expect(() => folderOfModule('example.com/a@v1.0.0', answers(stdout, stderr))).toThrow(
      'example.com/a@v1.0.0 could not be downloaded: no such module',
    );
  });
});
