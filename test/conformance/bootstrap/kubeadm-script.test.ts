import { chmodSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { KUBEADM_DEADLINE_SECONDS, kubeadmScript } from '../../../shared/bootstrap/kubeadm/script.ts';
import { makeMachine } from './machine.ts';

/**
 * A kubeadm whose first `$ROOT/fail` calls fail; its `reset` deletes what the real one deletes. With `$ROOT/half-done`,
 * a failed attempt leaves the API server and the kubelet set up, and a complete `init` after it fails its preflight
 * checks. With `$ROOT/young`, the load balancer does not work yet: kubeadm succeeds only if the endpoint's name
 * resolves to the machine.
 */
const KUBEADM = `
case "$1" in
reset) rm -rf "$ROOT"/etc/kubernetes/pki "$ROOT"/etc/kubernetes/manifests "$ROOT"/var/lib/kubelet/* ;;
*)
  manifests="$ROOT/etc/kubernetes/manifests"
  cat "$ROOT/etc/hosts" >>"$ROOT/hosts-seen" 2>/dev/null
  [ -e "$ROOT/etc/kubernetes/pki/ca.key" ] || exit 9
  case "$*" in
  *skip-phases=preflight*) ;;
  *) [ ! -e "$manifests/kube-apiserver.yaml" ] || exit 10 ;;
  esac
  if [ -e "$ROOT/half-done" ]; then
    mkdir -p "$manifests" "$ROOT/var/lib/kubelet"
    for part in $(cat "$ROOT/half-done"); do touch "$ROOT/$part"; done
  fi
  [ ! -e "$ROOT/young" ] || grep -q '^127.0.0.1 api.example.com' "$ROOT/etc/hosts" || exit 4
  tries=$(grep -c "kubeadm $1" "$ROOT/calls")
  [ "$tries" -gt "$(cat "$ROOT/fail")" ] || exit 3
  ;;
esac`;

/** Fails for the first `$ROOT/silent` requests, and for every request while the name resolves to the machine itself. */
const CURL = `
! grep -q api.example.com "$ROOT/etc/hosts" || exit 1
[ "$(grep -c '^curl' "$ROOT/calls")" -gt "$(cat "$ROOT/silent" 2>/dev/null || echo 0)" ] || exit 28`;

const API_SERVER = 'etc/kubernetes/manifests/kube-apiserver.yaml';
const STARTED = `${API_SERVER} etc/kubernetes/manifests/kube-scheduler.yaml var/lib/kubelet/config.yaml`;
const LOCAL = 'preflight,certs,kubeconfig,etcd,control-plane,kubelet-start';
const ownEndpoint = { host: 'api.example.com', port: 6443, address: '127.0.0.1' };
const PROBE =
  'curl --silent --insecure --noproxy * --output /dev/null --max-time 5 https://api.example.com:6443/readyz';

const machines: { dispose(): void }[] = [];
const machine = (fail: number) => {
  const made = makeMachine({ kubeadm: KUBEADM, curl: CURL });
  machines.push(made);
  made.write('fail', String(fail));
  made.write('etc/kubernetes/pki/ca.key', 'the key', 0o600);
  made.write('etc/hosts', '127.0.0.1 localhost');
  made.write('run/cluster-api/placeholder', '');
  return made;
};
afterEach(() => {
  for (const made of machines.splice(0)) made.dispose();
});

describe('kubeadmScript', () => {
  it('calls kubeadm once if it succeeds', () => {
    const it = machine(0);

    expect(it.run(kubeadmScript({}), ['kubeadm', 'init', '--config', 'x', '--v', '5']).code).toBe(0);
    expect(it.calls()).toEqual(['kubeadm init --config x --v 5']);
    expect(it.read('run/cluster-api/kept/etc/kubernetes/pki/ca.key')).toBeUndefined();
    expect(it.read('etc/hosts')).toBe('127.0.0.1 localhost');
  });

  it('cleans up between two attempts to join, and restores what the reset removed', () => {
    const it = machine(2);

    const { code, output } = it.run(kubeadmScript({ criSocket: 'unix:///x.sock' }), ['kubeadm', 'join']);

    expect(code).toBe(0);
    expect(output).toContain('try 2 failed with exit code 3');
    const reset = 'kubeadm reset --force --cri-socket unix:///x.sock';
    expect(it.calls()).toEqual(['kubeadm join', reset, 'kubeadm join', reset, 'kubeadm join']);
    expect(it.read('etc/kubernetes/pki/ca.key')).toBe('the key');
    expect(it.mode('etc/kubernetes/pki/ca.key')).toBe(0o600);
  });

  it('restores the given files of the kubelet, and nothing of the failed attempt', () => {
    const it = machine(2);
    it.write('half-done', 'var/lib/kubelet/config.yaml');
    it.write('var/lib/kubelet/config.json', 'credentials', 0o600);
    it.write("var/lib/kubelet/it's/own file", 'own', 0o640);
    chmodSync(it.at("var/lib/kubelet/it's"), 0o700);
    const paths = ['/var/lib//kubelet/config.json', "/var/lib/kubelet/it's/own file", '/var/lib/kubelet/missing'];

    expect(it.run(kubeadmScript({ files: paths.map((path) => ({ path })) }), ['kubeadm', 'join']).code).toBe(0);

    expect([it.read('var/lib/kubelet/config.json'), it.mode('var/lib/kubelet/config.json')]).toEqual([
      'credentials',
      0o600,
    ]);
    expect(it.read("var/lib/kubelet/it's/own file")).toBe('own');
    expect([it.mode("var/lib/kubelet/it's"), it.mode("var/lib/kubelet/it's/own file")]).toEqual([0o700, 0o640]);
    expect(it.read('etc/kubernetes/pki/ca.key')).toBe('the key');
    expect(it.read('run/cluster-api/kept/var/lib/kubelet/config.json')).toBeUndefined();
  });

  it('repeats init without a reset as long as no API server was set up', () => {
    const it = machine(2);

    expect(it.run(kubeadmScript({}), ['kubeadm', 'init']).code).toBe(0);
    expect(it.calls()).toEqual(['kubeadm init', 'kubeadm init', 'kubeadm init']);
  });

  it('resumes init at the phases that need the API once the control plane runs', () => {
    const it = machine(2);
    it.write('half-done', STARTED);

    const { code, output } = it.run(kubeadmScript({}), ['kubeadm', 'init', '--config', 'x']);

    expect([code, output]).toEqual([0, expect.stringContaining('resuming')]);
    const rest = `kubeadm init --config x --skip-phases=${LOCAL}`;
    expect(it.calls()).toEqual(['kubeadm init --config x', rest, rest]);
    expect(it.read('etc/kubernetes/pki/ca.key')).toBe('the key');
  });

  it('repeats the local phases if they did not all finish, and keeps the phases that the user skips', () => {
    const it = machine(1);
    it.write('half-done', API_SERVER);

    const script = kubeadmScript({ skipPhases: ['addon/kube-proxy', 'addon/coredns'] });

    expect(it.run(script, ['kubeadm', 'init']).code).toBe(0);
    expect(it.calls()).toEqual(['kubeadm init', 'kubeadm init --skip-phases=preflight,addon/kube-proxy,addon/coredns']);
  });

  it('resumes an init that a restart of the machine interrupted', () => {
    const it = machine(0);
    for (const path of STARTED.split(' ')) it.write(path, '');

    expect(it.run(kubeadmScript({}), ['kubeadm', 'init']).code).toBe(0);
    expect(it.calls()).toEqual([`kubeadm init --skip-phases=${LOCAL}`]);
  });

  it('resolves the endpoint’s name to the machine while it initializes, until the endpoint responds', () => {
    const it = machine(0);
    it.write('young', '');
    it.write('silent', '2');

    expect(it.run(kubeadmScript({ ownEndpoint }), ['kubeadm', 'init'])).toMatchObject({ code: 0 });

    expect(it.calls()).toEqual(['kubeadm init', PROBE, PROBE, PROBE]);
    expect(it.read('hosts-seen')).toMatch(/^127\.0\.0\.1 localhost\n127\.0\.0\.1 api\.example\.com #.*\n$/);
    expect(it.read('etc/hosts')).toBe('127.0.0.1 localhost\n');
  });

  it('keeps resolving the name to the machine if the endpoint never responds to the machine', () => {
    const it = machine(0);
    it.write('silent', '99');
    const script = kubeadmScript({ ownEndpoint }).replace(/^settle=\d+$/m, 'settle=0');

    const { code, output } = it.run(script, ['kubeadm', 'init']);

    expect([code, output]).toEqual([0, expect.stringContaining('does not answer this machine')]);
    expect(it.read('etc/hosts')).toMatch(/^127\.0\.0\.1 localhost\n127\.0\.0\.1 api\.example\.com #.*\n$/);
    // The next run, after a restart, starts from the beginning.
    it.write('silent', '0');
    expect(it.run(script, ['kubeadm', 'init']).code).toBe(0);
    expect(it.read('etc/hosts')).toBe('127.0.0.1 localhost\n');
  });

  it('makes no request to an endpoint that cannot lead back to the machine itself', () => {
    const it = machine(0);
    it.write('silent', '99');
    const script = kubeadmScript({ ownEndpoint: { ...ownEndpoint, stays: true } });

    expect(it.run(script, ['kubeadm', 'init'])).toMatchObject({ code: 0 });

    expect(it.calls()).toEqual(['kubeadm init']);
    expect(it.read('etc/hosts')).toMatch(/^127\.0\.0\.1 localhost\n127\.0\.0\.1 api\.example\.com #.*\n$/);
  });

  it('restores the name when it gives up, and never overrides it on a machine that joins', () => {
    const it = machine(99);
    const script = kubeadmScript({ ownEndpoint }).replace(`deadline=${KUBEADM_DEADLINE_SECONDS}`, 'deadline=0');

    expect(it.run(script, ['kubeadm', 'init']).code).toBe(3);
    expect(it.read('etc/hosts')).toBe('127.0.0.1 localhost\n');
    it.write('hosts-seen', '');
    expect(it.run(script, ['kubeadm', 'join']).code).toBe(3);
    expect(it.read('hosts-seen')).toBe('127.0.0.1 localhost\n');
  });

  it('gives up at the deadline with the exit code of kubeadm, and keeps no copies of keys', () => {
    const it = machine(99);
    const script = kubeadmScript({}).replace(`deadline=${KUBEADM_DEADLINE_SECONDS}`, 'deadline=0');

    expect(it.run(script, ['kubeadm', 'join'])).toMatchObject({
      code: 3,
      output: expect.stringContaining('giving up'),
    });
    expect(it.read('run/cluster-api/kept/etc/kubernetes/pki/ca.key')).toBeUndefined();
  });
});
