import { describe, expect, it } from 'vitest';
import type { BootstrapConfig } from '../../kinds/contract-objects.ts';
import { withBootstrapProblem, withDataSecret } from './bootstrap-status.ts';

const config = { apiVersion: 'v1', kind: 'KubeadmConfig', metadata: { name: 'm', generation: 1 } } as BootstrapConfig;
const now = new Date(0);

describe('the status of a bootstrap configuration', () => {
  it.each([
    ['with its data', withDataSecret(config, 'm', now)],
    ['with a problem', withBootstrapProblem(config, { in: 'configuration', message: 'spec.files[0]: no' }, now)],
  ])('reports that the configuration is not paused, %s', (_, { status }) => {
    const paused = status?.conditions?.find(({ type }) => type === 'Paused');
    expect(paused).toMatchObject({ status: 'False', reason: 'NotPaused' });
  });
});
