"""CoreV1Api and similar classes, one for each built-in group."""

import base64
import time

from kubernetes import client, watch

from objects import NAMESPACE, refused


def core_objects():
    core = client.CoreV1Api()
    made = core.create_namespaced_config_map(
        NAMESPACE, client.V1ConfigMap(metadata=client.V1ObjectMeta(name="typed", labels={"suite": "typed"}), data={"a": "1"})
    )
    assert made.metadata.uid and made.data == {"a": "1"}, made
    # A dict is sent as a strategic merge patch.
    patched = core.patch_namespaced_config_map("typed", NAMESPACE, {"data": {"a": None, "b": "2"}})
    assert patched.data == {"b": "2"}, patched
    # A list is a JSON patch.
    patched = core.patch_namespaced_config_map("typed", NAMESPACE, [{"op": "add", "path": "/data/c", "value": "3"}])
    assert patched.data == {"b": "2", "c": "3"}, patched
    with refused(409, "Conflict"):
        core.replace_namespaced_config_map("typed", NAMESPACE, made)
    with refused(409, "AlreadyExists"):
        core.create_namespaced_config_map(NAMESPACE, made_again())
    secret = client.V1Secret(metadata=client.V1ObjectMeta(name="typed"), string_data={"key": "value"})
    stored = core.create_namespaced_secret(NAMESPACE, secret)
    assert base64.b64decode(stored.data["key"]) == b"value", stored
    core.create_namespace(client.V1Namespace(metadata=client.V1ObjectMeta(name="python")))
    assert "python" in [namespace.metadata.name for namespace in core.list_namespace().items]
    core.delete_namespace("python")
    done = core.delete_namespaced_config_map("typed", NAMESPACE, body=client.V1DeleteOptions(propagation_policy="Background"))
    assert done["status"] == "Success", done
    with refused(404, "NotFound"):
        core.read_namespaced_config_map("typed", NAMESPACE)


def made_again():
    return client.V1ConfigMap(metadata=client.V1ObjectMeta(name="typed"))


def pages():
    core = client.CoreV1Api()
    for index in range(7):
        labels = {"suite": "pages", "odd": str(index % 2 == 1).lower()}
        metadata = client.V1ObjectMeta(name=f"page-{index}", labels=labels)
        core.create_namespaced_config_map(NAMESPACE, client.V1ConfigMap(metadata=metadata))
    names, token = [], None
    while True:
        page = core.list_namespaced_config_map(NAMESPACE, label_selector="suite=pages", limit=3, _continue=token)
        names += [item.metadata.name for item in page.items]
        token = page.metadata._continue
        if not token:
            break
        assert len(page.items) == 3, page
    assert names == [f"page-{index}" for index in range(7)], names
    odd = core.list_namespaced_config_map(NAMESPACE, label_selector="suite in (pages), odd!=false")
    assert len(odd.items) == 3, odd
    one = core.list_config_map_for_all_namespaces(field_selector="metadata.name=page-3")
    assert [item.metadata.name for item in one.items] == ["page-3"], one
    with refused(400, "BadRequest"):
        core.list_namespaced_config_map(NAMESPACE, label_selector="a in b")
    with refused(400, "BadRequest"):
        core.list_namespaced_config_map(NAMESPACE, limit=3, _continue="bm90IG9uZQ")
    core.delete_collection_namespaced_config_map(NAMESPACE, label_selector="suite=pages")
    assert not core.list_namespaced_config_map(NAMESPACE, label_selector="suite=pages").items


def access():
    who = client.AuthenticationV1Api().create_self_subject_review(client.V1SelfSubjectReview())
    assert "system:masters" in who.status.user_info.groups, who
    attributes = client.V1ResourceAttributes(namespace=NAMESPACE, verb="delete", group="cluster.x-k8s.io", resource="machines")
    review = client.V1SelfSubjectAccessReview(spec=client.V1SelfSubjectAccessReviewSpec(resource_attributes=attributes))
    assert client.AuthorizationV1Api().create_self_subject_access_review(review).status.allowed
    rbac = client.RbacAuthorizationV1Api()
    subject = client.RbacV1Subject(kind="User", name="somebody", api_group="rbac.authorization.k8s.io")
    role = client.V1RoleRef(kind="ClusterRole", name="view", api_group="rbac.authorization.k8s.io")
    binding = client.V1RoleBinding(metadata=client.V1ObjectMeta(name="python"), subjects=[subject], role_ref=role)
    assert rbac.create_namespaced_role_binding(NAMESPACE, binding).role_ref.name == "view"
    rbac.delete_namespaced_role_binding("python", NAMESPACE)


def watch_typed():
    """The helper restarts the watch itself, from the version that it saw last."""
    core = client.CoreV1Api()
    version = core.list_namespaced_config_map(NAMESPACE).metadata.resource_version
    names = [f"watched-{index}" for index in range(3)]
    watcher = watch.Watch()
    seen = []

    def next_name():
        # After the end of the watch, so that it must be restarted.
        if len(seen) % 2 == 0 and seen:
            time.sleep(2.5)
        if len(seen) < len(names):
            core.create_namespaced_config_map(NAMESPACE, client.V1ConfigMap(metadata=client.V1ObjectMeta(name=names[len(seen)])))

    next_name()
    for event in watcher.stream(core.list_namespaced_config_map, NAMESPACE, resource_version=version):
        seen.append((event["type"], event["object"].metadata.name))
        if len(seen) == len(names):
            watcher.stop()
        next_name()
    assert seen == [("ADDED", name) for name in names], seen
