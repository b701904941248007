"""An operator written with kopf, as a platform team would write it to react to clusters. It runs until it is stopped."""

import kopf

OWN = "suite.example.com"


@kopf.on.startup()
def configure(settings: kopf.OperatorSettings, **_):
    settings.persistence.finalizer = f"{OWN}/finalizer"
    settings.persistence.progress_storage = kopf.AnnotationsProgressStorage(prefix=OWN)
    settings.persistence.diffbase_storage = kopf.AnnotationsDiffBaseStorage(prefix=OWN, key="last-handled")
    # Watches end here after at most two seconds, and are restarted.
    settings.watching.server_timeout = 2


@kopf.on.create("cluster.x-k8s.io", "v1beta2", "clusters")
def created(patch, **_):
    patch.metadata.annotations["example.com/created"] = "yes"


@kopf.on.update("cluster.x-k8s.io", "v1beta2", "clusters", field="spec.paused")
def paused(patch, old, new, **_):
    patch.metadata.annotations["example.com/paused"] = f"{old} to {new}"


@kopf.on.delete("cluster.x-k8s.io", "v1beta2", "clusters")
def deleted(body, **_):
    kopf.event(body, type="Normal", reason="Released", message="The operator has released the cluster.")
