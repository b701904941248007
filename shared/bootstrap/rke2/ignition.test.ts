import { describe, expect, it } from 'vitest';
import type { Rke2ConfigSpec } from '../../kinds/index.ts';
import { dataOf } from '../ignition/decode.ts';
import { initInput, workerInput } from './fixtures.ts';
import { rke2Ignition } from './ignition.ts';

interface Written {
  storage: { files: { path: string; mode: number; contents: { source: string; compression?: 'gzip' } }[] };
  systemd: { units: { name: string; contents?: string; dropins?: object[] }[] };
}

const written = (spec: Rke2ConfigSpec, version: '2.3' | '3.3' = '3.3') => {
  const config = JSON.parse(rke2Ignition(workerInput(spec), version)) as Written;
  const textOf = (path: string) => {
    const file = config.storage.files.find((one) => one.path === path);
    return file && dataOf(file.contents)?.toString();
  };
  return { config, textOf };
};

describe('the Ignition config of an RKE2 machine', () => {
  it.each(['2.3', '3.3'] as const)('runs the commands in a unit until they have succeeded: version %s', (version) => {
    const spec = { preRKE2Commands: ['echo before'], postRKE2Commands: ['echo after'] };
    const { config, textOf } = written(spec, version);
    expect(textOf('/etc/rke2-install.sh')?.split('\n')).toEqual([
      '#!/bin/bash',
      'set -e',
      'echo before',
      'bash /etc/rke2-until-done.sh agent v1.34.2+rke2r1',
      'mkdir -p /run/cluster-api /etc/cluster-api',
      'echo success > /run/cluster-api/bootstrap-success.complete',
      'echo success > /etc/cluster-api/bootstrap-success.complete',
      'echo after',
      '',
    ]);
    const unit = config.systemd.units.find(({ name }) => name === 'rke2-install.service');
    expect(unit?.contents).toContain('ConditionPathExists=!/etc/cluster-api/bootstrap-success.complete');
    expect(textOf('/etc/rancher/rke2/config.yaml')).toContain('token: worker-token');
  });

  it('writes no files into folders that are in memory when the machine starts', () => {
    const { storage } = JSON.parse(rke2Ignition(initInput(), '3.3')) as Written;
    expect(storage.files.map(({ path }) => path).filter((path) => /^\/(run|tmp)\//.test(path))).toEqual([]);
  });

  it('includes what the user adds as a Butane config', () => {
    const config = `variant: flatcar
version: 1.1.0
systemd:
  units:
    - name: rke2-install.service
      dropins: [{name: 10-metadata.conf, contents: "[Unit]\\nRequires=coreos-metadata.service\\n"}]
`;
    const { config: made } = written({ agentConfig: { format: 'ignition', additionalUserData: { config } } });
    const [unit, ...others] = made.systemd.units.filter(({ name }) => name === 'rke2-install.service');
    expect(others).toEqual([]);
    expect(unit).toMatchObject({ contents: expect.stringContaining('[Service]'), dropins: [expect.anything()] });
  });

  it.each<[string, Rke2ConfigSpec, object]>([
    [
      'spec.agentConfig.additionalUserData.data',
      { agentConfig: { additionalUserData: { data: { users: '[]' } } } },
      {},
    ],
    [
      'spec.agentConfig.additionalUserData.config',
      { agentConfig: { additionalUserData: { config: 'users: []' } } },
      {},
    ],
    ['spec.files[0].path', {}, { files: [{ path: '/run/x', content: '' }] }],
  ])('is refused with the name of the invalid field: %s', (field, spec, over) => {
    expect(() => rke2Ignition(workerInput(spec, over), '3.3')).toThrow(
      expect.objectContaining({ name: 'BootstrapInvalid', field }),
    );
  });
});
