"""Runs one scenario of the suite by name against the server of a kubeconfig: suite.py KUBECONFIG SCENARIO."""

import sys

from kubernetes import config

import custom
import dynamically
import typed

SCENARIOS = {
    "discovery": dynamically.discovery,
    "core": typed.core_objects,
    "pages": typed.pages,
    "access": typed.access,
    "watch": typed.watch_typed,
    "custom": custom.custom_objects,
    "patches": custom.custom_patches,
    "scale": custom.custom_scale,
    "deletion": custom.custom_deletion,
    "dynamic": dynamically.dynamic_objects,
    "apply": dynamically.dynamic_apply,
    "dynamic-watch": dynamically.dynamic_watch,
}

if __name__ == "__main__":
    kubeconfig, scenario = sys.argv[1:]
    config.load_kube_config(kubeconfig)
    SCENARIOS[scenario]()
