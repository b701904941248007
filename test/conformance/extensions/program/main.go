// An extension that is built with upstream's server: it decodes every request into upstream's types, reports what it
// received, and answers as its flags specify.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	runtimecatalog "sigs.k8s.io/cluster-api/api/runtime/catalog"
	hooks "sigs.k8s.io/cluster-api/api/runtime/hooks/v1alpha1"
	"sigs.k8s.io/cluster-api/exp/runtime/server"
	ctrl "sigs.k8s.io/controller-runtime"
)

// report writes each request on one line, as it is in Go's types.
func report(hook string, request any) {
	text, err := json.Marshal(map[string]any{"hook": hook, "request": request})
	if err != nil {
		panic(err)
	}
	file, err := os.OpenFile(os.Getenv("REQUESTS"), os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		panic(err)
	}
	defer file.Close()
	fmt.Fprintln(file, string(text))
}

// answer reads the answers anew for every request, so that the test can change them.
func answer(hook string, response hooks.RetryResponseObject) {
	var answers map[string]struct {
		RetryAfterSeconds int32
		Message           string
	}
	text, err := os.ReadFile(os.Getenv("ANSWERS"))
	if err == nil {
		err = json.Unmarshal(text, &answers)
	}
	if err != nil {
		response.SetStatus(hooks.ResponseStatusFailure)
		response.SetMessage(err.Error())
		return
	}
	response.SetStatus(hooks.ResponseStatusSuccess)
	response.SetMessage(answers[hook].Message)
	response.SetRetryAfterSeconds(answers[hook].RetryAfterSeconds)
}

func generatePatches(_ context.Context, request *hooks.GeneratePatchesRequest, response *hooks.GeneratePatchesResponse) {
	report("GeneratePatches", request)
	response.SetStatus(hooks.ResponseStatusSuccess)
	for _, item := range request.Items {
		if item.HolderReference.FieldPath != "spec.infrastructureRef" {
			continue
		}
		patch := fmt.Sprintf(`[{"op":"add","path":"/spec/template/spec/region","value":%q}]`, request.GetSettings()["region"])
		response.Items = append(response.Items, hooks.GeneratePatchesResponseItem{
			UID: item.UID, PatchType: hooks.JSONPatchType, Patch: []byte(patch),
		})
	}
}

func validateTopology(_ context.Context, request *hooks.ValidateTopologyRequest, response *hooks.ValidateTopologyResponse) {
	report("ValidateTopology", request)
	response.SetStatus(hooks.ResponseStatusSuccess)
	for _, item := range request.Items {
		if strings.Contains(string(item.Object.Raw), "forbidden-1") {
			response.SetStatus(hooks.ResponseStatusFailure)
			response.SetMessage("the region forbidden-1 is not allowed")
		}
	}
}

// One variable for the region, whose type the settings of the patch may change.
func discoverVariables(_ context.Context, request *hooks.DiscoverVariablesRequest, response *hooks.DiscoverVariablesResponse) {
	report("DiscoverVariables", request)
	response.SetStatus(hooks.ResponseStatusSuccess)
	variable := clusterv1.ClusterClassVariable{Name: "zone"}
	variable.Schema.OpenAPIV3Schema = clusterv1.JSONSchemaProps{Type: request.GetSettings()["type"], MaxLength: ptr.To(int64(20))}
	variable.Schema.OpenAPIV3Schema.Default = &apiextensionsv1.JSON{Raw: []byte(`"north"`)}
	response.Variables = []clusterv1.ClusterClassVariable{variable}
}

func main() {
	port := flag.Int("port", 0, "")
	certificates := flag.String("certificates", "", "folder of tls.crt and tls.key")
	flag.Parse()
	catalog := runtimecatalog.New()
	must(hooks.AddToCatalog(catalog))
	extension, err := server.New(server.Options{Catalog: catalog, Host: "127.0.0.1", Port: *port, CertDir: *certificates})
	must(err)
	add := func(name string, hook runtimecatalog.Hook, handler any) {
		must(extension.AddExtensionHandler(server.ExtensionHandler{Hook: hook, Name: name, HandlerFunc: handler}))
	}
	add("create", hooks.BeforeClusterCreate, func(_ context.Context, q *hooks.BeforeClusterCreateRequest, r *hooks.BeforeClusterCreateResponse) {
		report("BeforeClusterCreate", q)
		answer("BeforeClusterCreate", r)
	})
	add("initialized", hooks.AfterControlPlaneInitialized, func(_ context.Context, q *hooks.AfterControlPlaneInitializedRequest, r *hooks.AfterControlPlaneInitializedResponse) {
		report("AfterControlPlaneInitialized", q)
		r.SetStatus(hooks.ResponseStatusSuccess)
	})
	add("upgrade", hooks.BeforeClusterUpgrade, func(_ context.Context, q *hooks.BeforeClusterUpgradeRequest, r *hooks.BeforeClusterUpgradeResponse) {
		report("BeforeClusterUpgrade", q)
		answer("BeforeClusterUpgrade", r)
	})
	add("before-cp", hooks.BeforeControlPlaneUpgrade, func(_ context.Context, q *hooks.BeforeControlPlaneUpgradeRequest, r *hooks.BeforeControlPlaneUpgradeResponse) {
		report("BeforeControlPlaneUpgrade", q)
		answer("BeforeControlPlaneUpgrade", r)
	})
	add("after-cp", hooks.AfterControlPlaneUpgrade, func(_ context.Context, q *hooks.AfterControlPlaneUpgradeRequest, r *hooks.AfterControlPlaneUpgradeResponse) {
		report("AfterControlPlaneUpgrade", q)
		answer("AfterControlPlaneUpgrade", r)
	})
	add("before-workers", hooks.BeforeWorkersUpgrade, func(_ context.Context, q *hooks.BeforeWorkersUpgradeRequest, r *hooks.BeforeWorkersUpgradeResponse) {
		report("BeforeWorkersUpgrade", q)
		answer("BeforeWorkersUpgrade", r)
	})
	add("after-workers", hooks.AfterWorkersUpgrade, func(_ context.Context, q *hooks.AfterWorkersUpgradeRequest, r *hooks.AfterWorkersUpgradeResponse) {
		report("AfterWorkersUpgrade", q)
		answer("AfterWorkersUpgrade", r)
	})
	add("upgraded", hooks.AfterClusterUpgrade, func(_ context.Context, q *hooks.AfterClusterUpgradeRequest, r *hooks.AfterClusterUpgradeResponse) {
		report("AfterClusterUpgrade", q)
		answer("AfterClusterUpgrade", r)
	})
	add("delete", hooks.BeforeClusterDelete, func(_ context.Context, q *hooks.BeforeClusterDeleteRequest, r *hooks.BeforeClusterDeleteResponse) {
		report("BeforeClusterDelete", q)
		answer("BeforeClusterDelete", r)
	})
	add("plan", hooks.GenerateUpgradePlan, func(_ context.Context, q *hooks.GenerateUpgradePlanRequest, r *hooks.GenerateUpgradePlanResponse) {
		report("GenerateUpgradePlan", q)
		r.SetStatus(hooks.ResponseStatusSuccess)
		r.ControlPlaneUpgrades = []hooks.UpgradeStep{{Version: q.ToKubernetesVersion}}
	})
	add("patch", hooks.GeneratePatches, generatePatches)
	add("validate", hooks.ValidateTopology, validateTopology)
	add("discover", hooks.DiscoverVariables, discoverVariables)
	must(extension.Start(ctrl.SetupSignalHandler()))
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
