import { afterEach, describe, expect, it } from 'vitest';
import { KUBEADM_DEADLINE_SECONDS, kubeadmScript } from '../../../shared/bootstrap/kubeadm/script.ts';
import { makeMachine } from './machine.ts';

/** Fails until it was called `$ROOT/fail` times; `reset` empties what the real one empties. */
const KUBEADM = `
case "$1" in
reset) rm -rf "$ROOT"/etc/kubernetes/pki "$ROOT"/etc/kubernetes/manifests ;;
*)
  [ -e "$ROOT/etc/kubernetes/pki/ca.key" ] || exit 9
  [ ! -e "$ROOT/half-done" ] || { mkdir -p "$ROOT/etc/kubernetes/manifests"; touch "$ROOT/etc/kubernetes/manifests/kube-apiserver.yaml"; }
  tries=$(grep -c "kubeadm $1" "$ROOT/calls")
  [ "$tries" -gt "$(cat "$ROOT/fail")" ] || exit 3
  ;;
esac`;

const machines: { dispose(): void }[] = [];
const machine = (fail: number) => {
  const made = makeMachine({ kubeadm: KUBEADM });
  machines.push(made);
  made.write('fail', String(fail));
  made.write('etc/kubernetes/pki/ca.key', 'the key', 0o600);
  made.write('run/cluster-api/placeholder', '');
  return made;
};
afterEach(() => {
  for (const made of machines.splice(0)) made.dispose();
});

describe('kubeadmScript', () => {
  it('calls kubeadm once when it succeeds', () => {
    const it = machine(0);

    expect(it.run(kubeadmScript({}), ['kubeadm', 'init', '--config', 'x', '--v', '5']).code).toBe(0);
    expect(it.calls()).toEqual(['kubeadm init --config x --v 5']);
    expect(it.read('run/cluster-api/kept/etc/kubernetes/pki/ca.key')).toBeUndefined();
  });

  it('cleans up between two tries to join, and puts back what the reset took', () => {
    const it = machine(2);

    const { code, output } = it.run(kubeadmScript({ criSocket: 'unix:///x.sock' }), ['kubeadm', 'join']);

    expect(code).toBe(0);
    expect(output).toContain('try 2 failed with exit code 3');
    const reset = 'kubeadm reset --force --cri-socket unix:///x.sock';
    expect(it.calls()).toEqual(['kubeadm join', reset, 'kubeadm join', reset, 'kubeadm join']);
    expect(it.read('etc/kubernetes/pki/ca.key')).toBe('the key');
    expect(it.mode('etc/kubernetes/pki/ca.key')).toBe(0o600);
  });

  it('repeats init without a reset as long as no API server was set up', () => {
    const it = machine(2);

    expect(it.run(kubeadmScript({}), ['kubeadm', 'init']).code).toBe(0);
    expect(it.calls()).toEqual(['kubeadm init', 'kubeadm init', 'kubeadm init']);
  });

  it('does not start a second cluster over a half-made one', () => {
    const it = machine(1);
    it.write('half-done', '');

    const { code, output } = it.run(kubeadmScript({}), ['kubeadm', 'init']);

    expect(code).toBe(3);
    expect(output).toContain('has to be replaced');
    expect(it.calls()).toEqual(['kubeadm init']);
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
