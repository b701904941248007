"""CustomObjectsApi: objects as dicts."""

from kubernetes import client

from objects import DEPLOYMENTS, TEMPLATES, deployment, refused, template


def custom_objects():
    api = client.CustomObjectsApi()
    made = api.create_namespaced_custom_object(**DEPLOYMENTS, body=deployment("custom", 1))
    assert made["metadata"]["generation"] == 1 and made["spec"]["selector"]["matchLabels"], made
    with refused(409, "AlreadyExists") as twice:
        api.create_namespaced_custom_object(**DEPLOYMENTS, body=deployment("custom", 1))
    assert twice.status["details"] == {"name": "custom", "group": "cluster.x-k8s.io", "kind": "machinedeployments"}, twice.status
    made["spec"]["replicas"] = 2
    replaced = api.replace_namespaced_custom_object(**DEPLOYMENTS, name="custom", body=made)
    assert replaced["spec"]["replicas"] == 2 and replaced["metadata"]["generation"] == 2, replaced
    with refused(409, "Conflict"):
        api.replace_namespaced_custom_object(**DEPLOYMENTS, name="custom", body=made)
    listed = api.list_namespaced_custom_object(**DEPLOYMENTS, field_selector="metadata.name=custom")
    assert listed["kind"] == "MachineDeploymentList" and len(listed["items"]) == 1, listed
    everywhere = api.list_cluster_custom_object("cluster.x-k8s.io", "v1beta2", "machinedeployments")
    assert "custom" in [item["metadata"]["name"] for item in everywhere["items"]], everywhere
    with refused(404, "NotFound"):
        api.get_namespaced_custom_object(**DEPLOYMENTS, name="nobody")
    wrong = deployment("wrong", 1)
    wrong["spec"]["clusterName"] = ""
    with refused(422, "Invalid") as invalid:
        api.create_namespaced_custom_object(**DEPLOYMENTS, body=wrong)
    assert "spec.clusterName" in [cause["field"] for cause in invalid.status["details"]["causes"]], invalid.status
    with refused(400, "BadRequest"):
        wrong = deployment("wrong", 1)
        wrong["spec"]["bogus"] = True
        api.create_namespaced_custom_object(**DEPLOYMENTS, body=wrong, field_validation="Strict")
    tried = api.create_namespaced_custom_object(**DEPLOYMENTS, body=deployment("tried", 1), dry_run="All")
    assert tried["metadata"]["uid"], tried
    with refused(404, "NotFound"):
        api.get_namespaced_custom_object(**DEPLOYMENTS, name="tried")
    api.delete_namespaced_custom_object(**DEPLOYMENTS, name="custom")


def custom_patches():
    api = client.CustomObjectsApi()
    api.create_namespaced_custom_object(**DEPLOYMENTS, body=deployment("patched", 1))
    of = dict(**DEPLOYMENTS, name="patched")
    # A merge patch, unless another type is given.
    assert api.patch_namespaced_custom_object(**of, body={"spec": {"replicas": 2}})["spec"]["replicas"] == 2
    body = [{"op": "replace", "path": "/spec/replicas", "value": 3}]
    json_patch = dict(**of, _content_type="application/json-patch+json")
    assert api.patch_namespaced_custom_object(**json_patch, body=body)["spec"]["replicas"] == 3
    with refused(422, "Invalid"):
        api.patch_namespaced_custom_object(**json_patch, body=[{"op": "test", "path": "/spec/replicas", "value": 7}])
    with refused(415, "UnsupportedMediaType"):
        api.patch_namespaced_custom_object(**of, body={}, _content_type="application/strategic-merge-patch+json")
    reported = api.patch_namespaced_custom_object_status(**of, body={"spec": {"replicas": 9}, "status": {"replicas": 3}})
    assert (reported["spec"]["replicas"], reported["status"]["replicas"]) == (3, 3), reported
    assert api.get_namespaced_custom_object_status(**of)["status"]["replicas"] == 3
    api.delete_namespaced_custom_object(**of)


def custom_scale():
    api = client.CustomObjectsApi()
    api.create_namespaced_custom_object(**DEPLOYMENTS, body=deployment("scaled", 1))
    of = dict(**DEPLOYMENTS, name="scaled")
    scale = api.get_namespaced_custom_object_scale(**of)
    assert (scale["kind"], scale["apiVersion"], scale["spec"]["replicas"]) == ("Scale", "autoscaling/v1", 1), scale
    scale["spec"]["replicas"] = 4
    assert api.replace_namespaced_custom_object_scale(**of, body=scale)["spec"]["replicas"] == 4
    with refused(409, "Conflict"):
        api.replace_namespaced_custom_object_scale(**of, body=scale)
    assert api.patch_namespaced_custom_object_scale(**of, body={"spec": {"replicas": 2}})["spec"]["replicas"] == 2
    assert api.get_namespaced_custom_object(**of)["spec"]["replicas"] == 2
    api.delete_namespaced_custom_object(**of)


def custom_deletion():
    api = client.CustomObjectsApi()
    owner = api.create_namespaced_custom_object(**TEMPLATES, body=template("owner", finalizers=["suite.example/hold"]))
    reference = {key: owner[key] for key in ("apiVersion", "kind")}
    reference |= {"name": "owner", "uid": owner["metadata"]["uid"], "blockOwnerDeletion": True}
    for name, owned in (("owner", {}), ("kept", {"ownerReferences": [reference]})):
        if name != "owner":
            api.create_namespaced_custom_object(**TEMPLATES, body=template(name, **owned))
    with refused(409, "Conflict"):
        options = client.V1DeleteOptions(preconditions=client.V1Preconditions(uid="another"))
        api.delete_namespaced_custom_object(**TEMPLATES, name="owner", body=options)
    held = api.delete_namespaced_custom_object(**TEMPLATES, name="owner", propagation_policy="Orphan")
    assert held["metadata"]["deletionTimestamp"] and "orphan" in held["metadata"]["finalizers"], held
    api.patch_namespaced_custom_object(**TEMPLATES, name="owner", body={"metadata": {"finalizers": []}})
    with refused(404, "NotFound"):
        api.get_namespaced_custom_object(**TEMPLATES, name="owner")
    kept = api.get_namespaced_custom_object(**TEMPLATES, name="kept")
    assert "ownerReferences" not in kept["metadata"], kept
    done = api.delete_collection_namespaced_custom_object(**TEMPLATES, field_selector="metadata.name=kept")
    assert done["kind"] in ("Status", "AWSMachineTemplateList"), done
    with refused(404, "NotFound"):
        api.get_namespaced_custom_object(**TEMPLATES, name="kept")
