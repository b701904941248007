import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { KubeadmConfigSpec } from '../kubeadm/spec.ts';
import { reportByKubeadm } from './kubeadm.ts';
import { reportsUrl } from './reports.ts';

const REPORTS = { url: 'https://api.example.com/hooks/changes/u-1', token: 'secret', reported: ['Nodes'] } as const;

const given = (spec: KubeadmConfigSpec, phase: 'init' | 'join' = 'init') => ({ spec, files: spec.files ?? [], phase });
const filesOf = (spec: KubeadmConfigSpec) =>
  new Map(reportByKubeadm(REPORTS, given(spec)).files.map((file) => [file.path, file]));

describe('a kubeadm machine that reports changes', () => {
  it('sends its reports to an address of its cluster', () => {
    expect(reportsUrl('https://api.example.com/k8s/', 'u-1')).toBe('https://api.example.com/k8s/hooks/changes/u-1');
    expect(reportsUrl('https://api.example.com', 'u-1')).toBe('https://api.example.com/hooks/changes/u-1');
  });

  it('is configured like any other machine if nothing is to be reported', () => {
    const spec = { verbosity: 1 };
    expect(reportByKubeadm(undefined, given(spec))).toEqual({ spec, files: [] });
  });

  it('records only writes to the requested objects', () => {
    const policy = parse(filesOf({}).get('/etc/kubernetes/windlass/audit-policy.yaml')?.content ?? '');
    expect(policy.rules[1]).toEqual({
      level: 'Metadata',
      verbs: ['create', 'update', 'patch', 'delete', 'deletecollection'],
      resources: [{ group: '', resources: ['nodes'] }],
    });
    expect(policy.rules.at(-1)).toEqual({ level: 'None' });
  });

  it('has its token in a file that only root can read', () => {
    const files = [...filesOf({}).values()].filter(({ content }) => content.includes('secret'));
    expect(files).toMatchObject([
      { path: '/etc/kubernetes/windlass/webhook.kubeconfig', permissions: '0600', owner: 'root:root' },
    ]);
  });

  it.each(['init', 'join'] as const)(
    "patches its own API server at %s, in the user's patch folder if there is one",
    (phase) => {
      const key = `${phase}Configuration` as const;
      const own = reportByKubeadm(REPORTS, given({}, phase));
      expect(own.spec[key]?.patches?.directory).toBe('/etc/kubernetes/windlass/patches');
      const users = reportByKubeadm(REPORTS, given({ [key]: { patches: { directory: '/etc/patches/' } } }, phase));
      expect(users.spec[key]?.patches?.directory).toBe('/etc/patches/');
      expect(users.files.at(-1)?.path).toBe('/etc/patches/kube-apiserver-windlass+json.json');
      expect(own.spec.clusterConfiguration).toBeUndefined();
    },
  );

  it.each<[string, string, KubeadmConfigSpec]>([
    [
      'an audit policy',
      'spec.clusterConfiguration.apiServer.extraArgs: sets audit-policy-file, and the annotation windlass.dev/report-changes of the Cluster sets it too: remove one of them',
      { clusterConfiguration: { apiServer: { extraArgs: [{ name: 'audit-policy-file', value: '/x' }] } } },
    ],
    [
      'a webhook in a patch',
      'spec.files[1].content: sets audit-webhook-config-file',
      {
        initConfiguration: { patches: { directory: '/etc/patches' } },
        files: [
          { path: '/etc/other', content: '--audit-policy-file=/x' },
          { path: '/etc/patches/kube-apiserver+json.yaml', content: 'value: --audit-webhook-config-file=/x' },
        ],
      },
    ],
    [
      'API servers that do not run as root',
      'spec.clusterConfiguration.featureGates.RootlessControlPlane: keeps the API server from reading',
      { clusterConfiguration: { featureGates: { RootlessControlPlane: true } } },
    ],
  ])('is refused if the user configures %s', (_, message, spec) => {
    expect(() => reportByKubeadm(REPORTS, given(spec))).toThrow(message);
    expect(() => reportByKubeadm(undefined, given(spec))).not.toThrow();
  });
});
