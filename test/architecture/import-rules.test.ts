import { describe, expect, it } from 'vitest';
import { importProblems } from './import-rules.ts';
import { makeSource, readSources } from './source.ts';

const problemsOf = (path: string, text: string): string[] => importProblems(makeSource(path, text));

describe('imports', () => {
  it('point one way: shared ← functions ← infra ← test', () => {
    expect(readSources('shared', 'functions', 'infra', 'test').flatMap(importProblems)).toEqual([]);
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
    ['functions/a.ts', "import { EC2Client } from '@aws-sdk/client-ec2';", 'SDK clients are made in shared/aws only'],
    ['functions/a.ts', "import { App } from 'aws-cdk-lib';", 'none of the tools that deploy it'],
  ])('in %s, %s is refused', (path, text, expected) => {
    expect(problemsOf(path, text).join('\n')).toContain(expected);
  });

  it.each([
    ['shared/plan/a.ts', "import type { Instance } from '@aws-sdk/client-ec2';"],
    ['shared/plan/a.ts', "import type { Clock } from '../clock.ts';"],
    ['shared/aws/a.ts', "import { EC2Client } from '@aws-sdk/client-ec2';"],
    ['test/a.ts', "import { startRuntime } from '../infra/local/runtime.ts';"],
    ['shared/kinds/a.ts', "const text = `import '../../infra/app.ts'`; // import '../../infra/app.ts'"],
  ])('in %s, %s is allowed', (path, text) => {
    expect(problemsOf(path, text)).toEqual([]);
  });
});
