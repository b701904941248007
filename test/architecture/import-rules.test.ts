import { beforeAll, describe, expect, it } from 'vitest';
import { LIMIT } from '../../shared/test-patience.ts';
import { importCycles } from './import-cycles.ts';
import { importProblems } from './import-rules.ts';
import { makeSource, readSources, type Source } from './source.ts';

const problemsOf = (path: string, text: string): string[] => importProblems(makeSource(path, text));

describe('imports', () => {
  let all: Source[] = [];
  beforeAll(() => {
    all = readSources('shared', 'functions', 'infra', 'test');
  }, LIMIT);

  it('point one way: shared ← functions ← infra ← test', () => {
    expect(all.length).toBeGreaterThan(1000);
    expect(all.flatMap(importProblems)).toEqual([]);
  });

  it('form no cycle, not even of types', () => {
    expect(importCycles(all)).toEqual([]);
    const ring = [
      makeSource('shared/a.ts', "import { b } from './b.ts'; import './d.ts';"),
      makeSource('shared/b.ts', "export * from './c.ts'; import type { D } from './d.ts';"),
      makeSource('shared/c.ts', "import './a.ts';"),
      makeSource('shared/d.ts', "import { join } from 'node:path';"),
    ];
    expect(importCycles(ring)).toEqual(['shared/a.ts → shared/b.ts → shared/c.ts → shared/a.ts']);
    const types = [
      makeSource('shared/a.ts', "import { b } from './b.ts';"),
      makeSource('shared/b.ts', "import type { A } from './a.ts';"),
    ];
    expect(importCycles(types)).toEqual(['shared/a.ts → shared/b.ts → shared/a.ts']);
  });

  it.each([
    ['shared/plan/a.ts', "import { step } from '../../functions/step.ts';", 'shared must not import functions/step.ts'],
    ['shared/a.test.ts', "import '../functions/step.ts';", 'shared must not import functions/step.ts'],
    ['functions/api/a.ts', "export { x } from '../../infra/app.ts';", 'functions must not import infra/app.ts'],
    ['functions/api/a.ts', "const x = await import('../../infra/app.ts');", 'functions must not import infra/app.ts'],
    ['infra/a.ts', "import type { X } from '../test/a.ts';", 'infra must not import test/a.ts'],
    ['shared/kube-api/a.ts', "import type { X } from '../store/table.ts';", 'shared/kube-api knows no storage'],
    ['shared/kinds/a.ts', "import { EC2Client } from '@aws-sdk/client-ec2';", 'planners and kinds are pure'],
    ['shared/plan/a.ts', "import { systemClock } from '../clock.ts';", 'no store, no clock'],
    ['shared/providers/aws/plan/a.ts', "import { tell } from '../api/ec2-fleet.ts';", 'no store, no clock'],
    [
      'functions/a.ts',
      "import { EC2Client } from '@aws-sdk/client-ec2';",
      'SDK clients are created in shared/aws only',
    ],
    [
      'shared/workload/a.ts',
      "import { KubeConfig } from '@kubernetes/client-node';",
      'runs programs that a kubeconfig',
    ],
    ['shared/errors.ts', "import { readJson } from './decode/json.ts'; import './kinds/index.ts';", 'within shared/'],
    [
      'shared/kube-api/a.ts',
      "import type { X } from '../access/rule.ts';",
      'within shared/ imports go base ← kube-api',
    ],
    ['shared/kinds/a.ts', "import { x } from '../bootstrap/x.ts';", 'must not import shared/bootstrap/x.ts'],
    [
      'shared/plan/a.ts',
      "import type { X } from '../distributions/x.ts';",
      'must not import shared/distributions/x.ts',
    ],
    ['functions/a.ts', "import { App } from 'aws-cdk-lib';", 'deployed code does not need the tools that deploy it'],
  ])('in %s, %s is refused', (path, text, expected) => {
    expect(problemsOf(path, text).join('\n')).toContain(expected);
  });

  it.each([
    ['shared/plan/a.ts', "import type { Instance } from '@aws-sdk/client-ec2';"],
    ['shared/plan/a.ts', "import type { Clock } from '../clock.ts';"],
    ['shared/aws/a.ts', "import { EC2Client } from '@aws-sdk/client-ec2';"],
    ['shared/plan/a.ts', "import { x } from '../bootstrap/x.ts'; import '../errors.ts'; import '../decode/json.ts';"],
    ['shared/workload/a.ts', "import type { X } from '../distributions/x.ts'; import '../plan/x.ts';"],
    ['shared/plan/a.test.ts', "import { x } from '../workload/x.ts';"],
    ['test/a.ts', "import { startRuntime } from '../infra/local/runtime.ts';"],
    ['shared/kinds/a.ts', "const text = `import '../../infra/app.ts'`; // import '../../infra/app.ts'"],
  ])('in %s, %s is allowed', (path, text) => {
    expect(problemsOf(path, text)).toEqual([]);
  });
});
