import { describe, expect, it } from 'vitest';
import { testCertificates } from '../certificates/fixtures.ts';
import { kubeadmScript } from './script.ts';
import { kubeadmSetup } from './setup.ts';
import type { KubeadmConfigSpec } from './spec.ts';

const certificates = await testCertificates();
const cluster = { name: 'demo', endpoint: { host: 'lb.example.com', port: 6443 }, version: 'v1.34.0' };
const init = (spec: KubeadmConfigSpec) => kubeadmSetup({ role: 'init', cluster, spec, certificates, tokens: [] });

describe('kubeadmSetup', () => {
  it("writes the certificates, the user's files, the kubeadm file and the placeholder in this order", () => {
    const { files } = init({ files: [{ path: '/etc/a', content: 'a', append: true }] });

    expect(files.map(({ path }) => path).slice(6)).toEqual([
      '/etc/kubernetes/pki/sa.pub',
      '/etc/kubernetes/pki/sa.key',
      '/etc/a',
      '/run/kubeadm/kubeadm.yaml',
      '/run/cluster-api/placeholder',
      '/run/cluster-api/kubeadm-until-done.sh',
    ]);
    expect(files.at(-3)).toMatchObject({ owner: 'root:root', permissions: '0640' });
    const ownEndpoint = { host: 'lb.example.com', port: 6443, address: '127.0.0.1' };
    expect(files.at(-1)?.content).toBe(kubeadmScript({ ownEndpoint }));
  });

  it("preserves the user's files in the kubelet's folder between two attempts to join", () => {
    const files = ['/etc/a', '/var/lib/kubelet', '/var/lib/kubelet/../a', '/var//lib/kubelet/b'].map((path) => ({
      path,
    }));
    const caCertificatePem = certificates.ca.certificatePem;
    const token = 'abcdef.0123456789abcdef';
    const join = (spec: KubeadmConfigSpec) =>
      kubeadmSetup({ role: 'worker', cluster, spec, caCertificatePem, token }).files.at(-1)?.content;

    expect(join({ files })).toContain("for file in '/var/lib/kubelet/b'; do");
    expect(join({ files: files.slice(0, 3) })).toBe(kubeadmScript({}));
    expect(init({ files }).files.at(-1)?.content).not.toContain('/var/lib/kubelet/b');
  });

  it("runs the user's commands before and after kubeadm, and reports success once kubeadm has succeeded", () => {
    const spec = { preKubeadmCommands: ['echo "before"'], postKubeadmCommands: ['echo: after # no'], verbosity: 5 };

    expect(init(spec).commands).toEqual([
      'echo "before"',
      'bash /run/cluster-api/kubeadm-until-done.sh kubeadm init --config /run/kubeadm/kubeadm.yaml --v 5' +
        ' && echo success > /run/cluster-api/bootstrap-success.complete',
      'echo: after # no',
    ]);
  });
});

describe('kubeadmScript', () => {
  it('contains nothing that jinja would interpret', () => {
    const ownEndpoint = { host: 'lb.example.com', port: 6443, address: '127.0.0.1' };
    const options = {
      certificatesDir: '/srv/pki',
      files: [{ path: '/var/lib/kubelet/config.json' }],
      criSocket: 'unix:///run/x.sock',
      skipPhases: ['addon'],
      ownEndpoint,
    };
    expect(kubeadmScript(options)).not.toMatch(/\{[{%#]/);
  });

  it('quotes values from the user', () => {
    const script = kubeadmScript({ certificatesDir: "/srv/it's", criSocket: 'unix:///run/x.sock; reboot' });

    expect(script).toContain(`in '/etc/kubernetes' '/srv/it'\\''s'; do`);
    expect(script).toContain(`--cri-socket 'unix:///run/x.sock; reboot'`);
  });
});
