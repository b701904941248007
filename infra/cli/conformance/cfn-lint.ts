import type { PythonProgram } from './python-program.ts';

/** AWS's linter for CloudFormation templates, with the schemas of all resource types. */
export const CFN_LINT: PythonProgram = {
  name: 'cfn-lint',
  version: '1.58.0',
  packages: ['cfn-lint==1.58.0'],
  program: 'cfn-lint',
};
