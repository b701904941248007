import { expect, it } from 'vitest';
import { nextSteps } from './next-steps.ts';

it('tells the user to put the name of the table into cdk.json of a checkout, or into the arguments of the package', () => {
  const checkout = nextSteps('Restored', { command: 'npm run windlass --', isCheckout: true });
  expect(checkout).toContain(
    '"tableName": "Restored" to the context in cdk.json, and run: npm run windlass -- deploy\n',
  );
  const installed = nextSteps('Restored', { command: 'windlass', isCheckout: false });
  expect(installed).toContain(': windlass deploy -c tableName=Restored\n');
  expect(installed).not.toContain('cdk.json');
});
