"""Shared by the scenarios: objects to write, and a check of expected refusals."""

import json
from contextlib import contextmanager

from kubernetes.client.exceptions import ApiException

NAMESPACE = "default"
GROUP = "cluster.x-k8s.io"
VERSION = "v1beta2"
DEPLOYMENTS = dict(group=GROUP, version=VERSION, namespace=NAMESPACE, plural="machinedeployments")
INFRASTRUCTURE = "infrastructure.cluster.x-k8s.io"
TEMPLATES = dict(group=INFRASTRUCTURE, version=VERSION, namespace=NAMESPACE, plural="awsmachinetemplates")


def template(name, **metadata):
    """The smallest infrastructure object."""
    return {
        "apiVersion": f"{INFRASTRUCTURE}/{VERSION}",
        "kind": "AWSMachineTemplate",
        "metadata": {"name": name, **metadata},
        "spec": {"template": {"spec": {"instanceType": "t3.medium", "sshKeyName": ""}}},
    }


def deployment(name, replicas):
    """A MachineDeployment without a cluster, so no machines are created for it."""
    reference = {"apiGroup": INFRASTRUCTURE, "kind": "AWSMachineTemplate", "name": "none"}
    machine = {
        "clusterName": "nowhere",
        "version": "v1.34.0",
        "bootstrap": {"dataSecretName": "none"},
        "infrastructureRef": reference,
    }
    return {
        "apiVersion": f"{GROUP}/{VERSION}",
        "kind": "MachineDeployment",
        "metadata": {"name": name},
        "spec": {"clusterName": "nowhere", "replicas": replicas, "template": {"spec": machine}},
    }


@contextmanager
def refused(code, reason):
    """Expects the calls within to be refused; the yielded object then has the Status as `status`."""

    class Refusal:
        status = None

    refusal = Refusal()
    try:
        yield refusal
    except ApiException as error:
        refusal.status = json.loads(error.body)
        assert (error.status, refusal.status["reason"]) == (code, reason), error
        assert refusal.status["kind"] == "Status" and refusal.status["code"] == code, refusal.status
    else:
        raise AssertionError(f"expected {code} {reason}")
