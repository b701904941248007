// Validates schemas with CEL rules, and values against them, with Cluster API's own webhooks and their libraries.
//
// Reads {"cases": [{"schema", "value", "old"}]} and writes one result for each, and the functions that rules may call.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	schemacel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/environment"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/core/webhooks/admission"
	"sigs.k8s.io/cluster-api/feature"
)

type question struct {
	Schema json.RawMessage `json:"schema"`
	Value  json.RawMessage `json:"value"`
	// The previous value, which it replaces.
	Old json.RawMessage `json:"old"`
}

type fault struct {
	Type    string `json:"type"`
	Field   string `json:"field"`
	Message string `json:"message"`
}

type rule struct {
	Fault       string `json:"fault"`
	Cost        uint64 `json:"cost,string"`
	MessageCost uint64 `json:"messageCost,string"`
}

type answer struct {
	// The errors of the schema, as the variable of a ClusterClass.
	Class []fault `json:"class"`
	// The errors of the value, as the variable of a Cluster.
	Cluster []fault `json:"cluster"`
	// The rules of the schema itself, without those of nested schemas.
	Rules []rule `json:"rules"`
	// The cost of the rules that were run for the value.
	Spent int64 `json:"spent"`
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

const name = "v"

func classOf(q question) *clusterv1.ClusterClass {
	class := &clusterv1.ClusterClass{}
	variable := clusterv1.ClusterClassVariable{Name: name}
	if err := json.Unmarshal(q.Schema, &variable.Schema.OpenAPIV3Schema); err != nil {
		panic(err)
	}
	class.Namespace = "default"
	class.Name = "c"
	class.Spec.Variables = []clusterv1.ClusterClassVariable{variable}
	class.Status.Variables = []clusterv1.ClusterClassStatusVariable{{
		Name: name,
		Definitions: []clusterv1.ClusterClassStatusVariableDefinition{
			{From: clusterv1.VariableDefinitionFromInline, Schema: variable.Schema},
		},
	}}
	return class
}

// The errors of its variables: no other field of the class is set.
func faultsOfClass(class *clusterv1.ClusterClass) []fault {
	faults := []fault{}
	_, err := (&admission.ClusterClass{}).ValidateCreate(context.Background(), class)
	status := apierrors.APIStatus(nil)
	if err != nil && !errors.As(err, &status) {
		panic(err)
	}
	if status == nil {
		return faults
	}
	for _, cause := range status.Status().Details.Causes {
		if len(cause.Field) > 14 && cause.Field[:14] == "spec.variables" {
			faults = append(faults, fault{string(cause.Type), cause.Field, cause.Message})
		}
	}
	return faults
}

func clusterWith(raw json.RawMessage) *clusterv1.Cluster {
	cluster := &clusterv1.Cluster{}
	variable := clusterv1.ClusterVariable{Name: name}
	variable.Value.Raw = raw
	cluster.Spec.Topology.Variables = []clusterv1.ClusterVariable{variable}
	return cluster
}

func faultsOfCluster(q question, class *clusterv1.ClusterClass) []fault {
	var old *clusterv1.Cluster
	if q.Old != nil {
		old = clusterWith(q.Old)
	}
	faults := []fault{}
	for _, err := range (&admission.Cluster{}).DefaultAndValidateVariables(context.Background(), clusterWith(q.Value), old, class) {
		faults = append(faults, fault{string(err.Type), err.Field, err.ErrorBody()})
	}
	return faults
}

// The schema in the libraries' types. Cluster API's own conversion is internal; both read the same JSON.
func structuralOf(q question) *structural.Structural {
	served := apiextensionsv1.JSONSchemaProps{}
	if err := json.Unmarshal(q.Schema, &served); err != nil {
		panic(err)
	}
	props := apiextensions.JSONSchemaProps{}
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&served, &props, nil); err != nil {
		panic(err)
	}
	schema, err := structural.NewStructural(&props)
	if err != nil {
		return nil
	}
	return schema
}

func rulesOf(schema *structural.Structural) []rule {
	rules := []rule{}
	declared := model.SchemaDeclType(schema, false)
	if declared == nil {
		return rules
	}
	base := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion())
	for _, result := range must(schemacel.Compile(schema, declared, celconfig.PerCallLimit, base, schemacel.NewExpressionsEnvLoader())) {
		one := rule{Cost: result.MaxCost, MessageCost: result.MessageExpressionMaxCost}
		if result.Error != nil {
			one.Fault = result.Error.Detail
		}
		rules = append(rules, one)
	}
	return rules
}

func spent(q question, schema *structural.Structural) int64 {
	validator := schemacel.NewValidator(schema, false, celconfig.PerCallLimit)
	if validator == nil {
		return 0
	}
	var value, old any
	if err := json.Unmarshal(q.Value, &value); err != nil {
		panic(err)
	}
	if q.Old != nil {
		if err := json.Unmarshal(q.Old, &old); err != nil {
			panic(err)
		}
	}
	_, left := validator.Validate(context.Background(), field.NewPath("value"), schema, whole(value), whole(old), celconfig.RuntimeCELCostBudget)
	if left < 0 {
		return -1
	}
	return celconfig.RuntimeCELCostBudget - left
}

// Kubernetes' decoder, unlike Go's own, decodes whole numbers as integers.
func whole(value any) any {
	switch typed := value.(type) {
	case map[string]any:
		for key, member := range typed {
			typed[key] = whole(member)
		}
	case []any:
		for index, item := range typed {
			typed[index] = whole(item)
		}
	case float64:
		if typed == float64(int64(typed)) {
			return int64(typed)
		}
	}
	return value
}

func judge(q question) answer {
	class := classOf(q)
	faults := faultsOfClass(class)
	result := answer{Class: faults, Cluster: []fault{}, Rules: []rule{}}
	schema := structuralOf(q)
	if schema != nil {
		result.Rules = rulesOf(schema)
	}
	if q.Value == nil {
		return result
	}
	result.Cluster = faultsOfCluster(q, class)
	if schema != nil && len(faults) == 0 && len(result.Cluster) == 0 {
		result.Spent = spent(q, schema)
	}
	return result
}

type overload struct {
	ID     string   `json:"id"`
	Member bool     `json:"member"`
	Takes  []string `json:"takes"`
	Gives  string   `json:"gives"`
}

func functions() map[string][]overload {
	declared := map[string][]overload{}
	env := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()).NewExpressionsEnv()
	for name, function := range env.Functions() {
		for _, one := range function.OverloadDecls() {
			takes := []string{}
			for _, argument := range one.ArgTypes() {
				takes = append(takes, argument.String())
			}
			declared[name] = append(declared[name], overload{one.ID(), one.IsMemberFunction(), takes, one.ResultType().String()})
		}
	}
	return declared
}

func main() {
	if err := feature.MutableGates.SetFromMap(map[string]bool{string(feature.ClusterTopology): true}); err != nil {
		panic(err)
	}
	asked := struct {
		Cases []question `json:"cases"`
	}{}
	if err := json.NewDecoder(os.Stdin).Decode(&asked); err != nil {
		panic(err)
	}
	answers := []answer{}
	for _, q := range asked.Cases {
		answers = append(answers, judge(q))
	}
	written := map[string]any{"answers": answers, "functions": functions()}
	if err := json.NewEncoder(os.Stdout).Encode(written); err != nil {
		panic(err)
	}
}
