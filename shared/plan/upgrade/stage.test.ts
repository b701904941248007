import { describe, expect, it } from 'vitest';
import { leadsFrom, validatePath } from '../../kinds/rules/bootstrap/upgrade-path.ts';
import { type StageFacts, stageOf, workerVersion } from './stage.ts';

const TARGET = 'v1.34.1';
const PATH = ['v1.32.9', 'v1.33.5'];

const at = (machines: string[], change: Partial<StageFacts> = {}) =>
  stageOf({ target: TARGET, path: PATH, machines, workers: [], fixedImages: [], ...change });
const worker = (version: string, target = TARGET) => ({ name: 'w', version, target });

describe('an upgrade over several minors', () => {
  it.each([
    ['goes to the target at once if there is no machine yet', [], TARGET],
    ['begins with the next minor', ['v1.31.2', 'v1.31.2'], 'v1.32.9'],
    ['completes a step that has begun', ['v1.31.2', 'v1.32.9', 'v1.32.9'], 'v1.32.9'],
    ['continues once all machines have the version', ['v1.32.9', 'v1.32.9'], 'v1.33.5'],
    ['has the target itself as its last step', ['v1.33.5'], TARGET],
    ['is complete if all machines have the target', [TARGET], TARGET],
    ['goes directly to the target from a newer minor and another patch', ['v1.35.0', 'v1.34.0'], TARGET],
  ])('%s', (_what, machines, version) => {
    expect(at(machines)).toEqual({ version, waits: [] });
  });

  it('waits if no version of the next minor is given', () => {
    expect(at(['v1.31.2'], { path: ['v1.33.5'] })).toEqual({
      version: 'v1.31.2',
      waits: ['* No version of v1.32 is given on the way from v1.31.2 to v1.34.1'],
    });
  });

  it('completes a step that is no longer in the path, rather than going back', () => {
    expect(at(['v1.31.2', 'v1.32.9'], { path: [] })).toEqual({ version: 'v1.32.9', waits: [] });
  });

  it('waits for the workers that take part, before each step except the first', () => {
    expect(at(['v1.31.2'], { workers: [worker('v1.31.0')] }).version).toBe('v1.32.9');
    expect(at(['v1.32.9'], { workers: [worker('v1.31.0')] })).toEqual({
      version: 'v1.32.9',
      waits: ['* Machine w must be upgraded to v1.32.9 first'],
    });
    expect(at(['v1.32.9', 'v1.33.5'], { workers: [worker('v1.31.0')] }).version).toBe('v1.33.5');
  });

  it('does not wait for workers that stay behind, as far as the version skew allows', () => {
    const stays = (version: string) => at(['v1.33.5'], { workers: [worker(version, version)] });
    expect(stays('v1.31.0').version).toBe(TARGET);
    expect(stays('v1.30.0').waits).toEqual(['* Machine w would be more than 3 minors behind v1.34.1']);
  });

  it('does not start if an image is fixed to one version', () => {
    expect(at(['v1.31.2'], { fixedImages: ['a', 'b'] }).waits).toEqual([
      '* The image of Machines a, b is named by its template (spec.ami.id), so it has only one version',
    ]);
  });

  it.each([
    [undefined, 'v1.31.2', 'v1.31.2'],
    ['v1.31.0', 'v1.31.2', 'v1.31.0'],
    ['v1.31.0', 'v1.32.9', 'v1.32.9'],
    ['v1.33.5', TARGET, TARGET],
    ['v1.33.5', 'v1.35.0', TARGET],
  ])('upgrades workers of %s with a control plane of %s to %s', (current, reached, version) => {
    expect(workerVersion(TARGET, current, reached)).toBe(version);
  });

  it('requires a path with a version of each minor, in order', () => {
    expect([leadsFrom(PATH, 'v1.31.2', TARGET), leadsFrom(PATH, 'v1.30.2', TARGET)]).toEqual([true, false]);
    const problems = (text: string) =>
      validatePath({ metadata: { name: 'a', annotations: { 'windlass.dev/upgrade-path': text } } }).map(
        ({ detail }) => detail,
      );
    expect(problems('v1.32.9, v1.33.5')).toEqual([]);
    expect(problems('v1.32.9,v1.34.0').join()).toContain('must be of the minor after');
    expect(problems('1.32.9').join()).toContain('starts with v');
  });
});
