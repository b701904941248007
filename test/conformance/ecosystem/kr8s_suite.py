"""What scripts do with kr8s: list, create, wait, patch, label, watch and delete clusters. Exits with 1 if that fails."""

import sys
import threading

import kr8s
from kr8s.objects import ConfigMap, new_class

Cluster = new_class("Cluster", version="cluster.x-k8s.io/v1beta2", namespaced=True)


def expect(what, seen, wanted):
    if seen != wanted:
        sys.exit(f"{what}: {seen!r}, not {wanted!r}")


def main(kubeconfig):
    api = kr8s.api(kubeconfig=kubeconfig)
    expect("clusters at first", list(kr8s.get("clusters.cluster.x-k8s.io", namespace="default", api=api)), [])
    spec = {
        "controlPlaneEndpoint": {"host": "api.example.com", "port": 6443},
        "infrastructureRef": {
            "apiGroup": "infrastructure.cluster.x-k8s.io",
            "kind": "AWSCluster",
            "name": "kr8s",
        },
    }
    cluster = Cluster(
        {
            "apiVersion": "cluster.x-k8s.io/v1beta2",
            "kind": "Cluster",
            "metadata": {"name": "kr8s", "namespace": "default"},
            "spec": spec,
        },
        api=api,
    )
    seen = []
    watching = threading.Thread(target=watch, args=(api, seen), daemon=True)
    watching.start()

    cluster.create()
    expect("exists", cluster.exists(), True)
    cluster.patch({"spec": {"paused": True}})
    cluster.refresh()
    expect("paused", cluster.spec.paused, True)
    cluster.label({"team": "blue"})
    selected = kr8s.get("clusters.cluster.x-k8s.io", namespace="default", label_selector={"team": "blue"}, api=api)
    expect("selected by label", [one.name for one in selected], ["kr8s"])
    cluster.annotate({"example.com/seen": "yes"})
    expect("annotations", cluster.annotations["example.com/seen"], "yes")

    owned = ConfigMap({"metadata": {"name": "kr8s", "namespace": "default"}, "data": {"a": "1"}}, api=api)
    owned.create()
    owned.set_owner(cluster)
    owned.refresh()
    expect("owners", [one.kind for one in owned.metadata.ownerReferences], ["Cluster"])

    cluster.delete()
    cluster.wait("delete", timeout=60)
    # Garbage collection deletes it.
    owned.wait("delete", timeout=60)
    expect("exists after its deletion", cluster.exists(), False)
    watching.join(60)
    expect("first event", seen[0], "ADDED")
    expect("last event", seen[-1], "DELETED")


def watch(api, seen):
    for event, one in kr8s.watch("clusters.cluster.x-k8s.io", namespace="default", api=api):
        if one.name == "kr8s":
            seen.append(event)
            if event == "DELETED":
                return


if __name__ == "__main__":
    main(sys.argv[1])
