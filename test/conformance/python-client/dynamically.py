"""The dynamic client: it discovers kinds, as the tools of Ansible and Argo Workflows do."""

import json
import threading
import time

from kubernetes import client
from kubernetes.dynamic import DynamicClient
from kubernetes.dynamic.exceptions import ConflictError, NotFoundError, ResourceNotFoundError

from objects import NAMESPACE, deployment, template

# How long to wait for an expected change: only a fault, and not a busy computer, exceeds it.
PATIENCE_SECONDS = 300


def dynamic(kind, group="cluster.x-k8s.io"):
    return DynamicClient(client.ApiClient()).resources.get(api_version=f"{group}/v1beta2", kind=kind)


def discovery():
    machines = dynamic("Machine")
    assert (machines.name, machines.namespaced, machines.preferred) == ("machines", True, True), machines
    assert "machinedeployments" in [resource.name for resource in DynamicClient(client.ApiClient()).resources.search(kind="MachineDeployment")]
    assert dynamic("MachineDeployment").short_names == ["md"]
    assert "status" in dynamic("MachineDeployment").subresources and "scale" in dynamic("MachineDeployment").subresources
    try:
        dynamic("Gadget")
    except ResourceNotFoundError:
        pass
    else:
        raise AssertionError("expected no Gadget")
    groups = [group.name for group in client.ApisApi().get_api_versions().groups]
    assert "infrastructure.cluster.x-k8s.io" in groups, groups
    assert client.VersionApi().get_code().major == "1"
    crd = client.ApiextensionsV1Api().read_custom_resource_definition("machines.cluster.x-k8s.io")
    assert crd.spec.names.kind == "Machine" and crd.status.accepted_names.plural == "machines", crd


def dynamic_objects():
    resource = dynamic("MachineDeployment")
    made = resource.create(body=deployment("dynamic", 1), namespace=NAMESPACE)
    patched = resource.patch(body={"spec": {"replicas": 2}}, name="dynamic", namespace=NAMESPACE, content_type="application/merge-patch+json")
    assert patched.spec.replicas == 2, patched
    made.spec.replicas = 3
    try:
        resource.replace(body=made.to_dict(), namespace=NAMESPACE)
    except ConflictError as error:
        assert error.status == 409
    else:
        raise AssertionError("expected a conflict")
    scaled = resource.scale.patch(body={"spec": {"replicas": 5}}, name="dynamic", namespace=NAMESPACE, content_type="application/merge-patch+json")
    assert scaled.spec.replicas == 5, scaled
    assert resource.get(namespace=NAMESPACE, field_selector="metadata.name=dynamic").items[0].spec.replicas == 5
    resource.delete(name="dynamic", namespace=NAMESPACE)
    try:
        resource.get(name="dynamic", namespace=NAMESPACE)
    except NotFoundError:
        pass
    else:
        raise AssertionError("expected nothing")


def dynamic_apply():
    resource = dynamic("MachineDeployment")

    def apply(manager, replicas, **more):
        body = deployment("applied", replicas)
        return resource.server_side_apply(body=body, name="applied", namespace=NAMESPACE, field_manager=manager, **more)

    first = apply("one", 1)
    assert apply("one", 1).metadata.resourceVersion == first.metadata.resourceVersion
    try:
        apply("two", 2)
    except ConflictError as error:
        causes = json.loads(error.body)["details"]["causes"]
        assert "FieldManagerConflict" in [cause["reason"] for cause in causes], causes
    else:
        raise AssertionError("expected a conflict")
    forced = apply("two", 2, force_conflicts=True)
    assert (forced.spec.replicas, len(forced.metadata.managedFields)) == (2, 2), forced
    resource.delete(name="applied", namespace=NAMESPACE)


def dynamic_watch():
    """Watches of about a second each; the next one starts where the last one ended."""
    resource = dynamic("AWSMachineTemplate", "infrastructure.cluster.x-k8s.io")
    version = resource.get(namespace=NAMESPACE).metadata.resourceVersion
    wanted = [f"followed-{index}" for index in range(4)]

    def write():
        for name in wanted:
            resource.create(body=template(name, labels={"suite": "watch"}), namespace=NAMESPACE)
            time.sleep(0.8)
            resource.delete(name=name, namespace=NAMESPACE)

    writer = threading.Thread(target=write)
    writer.start()
    seen, watches, end = [], 0, time.monotonic() + PATIENCE_SECONDS
    while len(seen) < 2 * len(wanted) and time.monotonic() < end:
        watches += 1
        for event in resource.watch(namespace=NAMESPACE, label_selector="suite=watch", resource_version=version, timeout=1):
            version = event["raw_object"]["metadata"]["resourceVersion"]
            seen.append((event["type"], event["raw_object"]["metadata"]["name"]))
    writer.join()
    assert seen == [(kind, name) for name in wanted for kind in ("ADDED", "DELETED")], seen
    assert watches > 2, watches
