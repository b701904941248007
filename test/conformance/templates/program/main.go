// Renders the cluster templates that upstream publishes in its Go modules, as clusterctl and its end-to-end framework do.
//
// Reads {"sources": [{"name", "module", "directory"}], "cni", "variables": {}, "own": {}} and writes the templates that it finds: a YAML
// file is one, and so is a folder with a kustomization.
package main

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/drone/envsubst/v2"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

type source struct {
	// The prefix of the names of its templates.
	Name      string `json:"name"`
	Module    string `json:"module"`
	Directory string `json:"directory"`
}

type request struct {
	Sources   []source          `json:"sources"`
	Variables map[string]string `json:"variables"`
	// By the name of a template: variables that have a different value in it.
	Own map[string]map[string]string `json:"own"`
	// A file in the first source's module: the CNI plugin that the framework inserts for ${CNI_RESOURCES}.
	Cni string `json:"cni"`
}

type template struct {
	Name string `json:"name"`
	Text string `json:"text"`
	// Variables without a value.
	Missing []string `json:"missing"`
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// The module's folder in the module cache; downloads the module if necessary.
func folderOf(module string) string {
	command := exec.Command("go", "mod", "download", "-json", module)
	command.Dir = must(os.MkdirTemp("", "templates-"))
	defer os.RemoveAll(command.Dir)
	found := struct{ Dir, Error string }{}
	output, failure := command.Output()
	if err := json.Unmarshal(output, &found); err != nil || found.Error != "" {
		panic(errors.Join(errors.New(found.Error), failure))
	}
	return found.Dir
}

func build(path string) (string, error) {
	options := krusty.MakeDefaultOptions()
	options.LoadRestrictions = types.LoadRestrictionsNone
	resources, err := krusty.MakeKustomizer(options).Run(filesys.MakeFsOnDisk(), path)
	if err != nil {
		return "", err
	}
	text, err := resources.AsYaml()
	return string(text), err
}

func read(path string) (string, bool, error) {
	if strings.HasSuffix(path, ".yaml") {
		text, err := os.ReadFile(path)
		return string(text), true, err
	}
	if _, err := os.Stat(filepath.Join(path, "kustomization.yaml")); err != nil {
		return "", false, nil
	}
	text, err := build(path)
	return text, true, err
}

func (r request) substitute(of, text, cni string) (template, error) {
	resources := "data:\n  resources: |\n    " + strings.ReplaceAll(cni, "\n", "\n    ")
	missing := []string{}
	whole, err := envsubst.Eval(strings.ReplaceAll(text, "data: ${CNI_RESOURCES}", "data: ${CNI_RESOURCES_DATA}"), func(name string) string {
		if name == "CNI_RESOURCES_DATA" {
			return name
		}
		value, given := r.Own[of][name]
		if !given {
			value, given = r.Variables[name]
		}
		if !given {
			missing = append(missing, name)
		}
		return value
	})
	// The plug-in's own text is not a template.
	whole = strings.ReplaceAll(whole, "data: CNI_RESOURCES_DATA", resources)
	slices.Sort(missing)
	return template{Name: of, Text: whole, Missing: slices.Compact(missing)}, err
}

func main() {
	asked := request{}
	if err := json.NewDecoder(os.Stdin).Decode(&asked); err != nil {
		panic(err)
	}
	cni := string(must(os.ReadFile(filepath.Join(folderOf(asked.Sources[0].Module), asked.Cni))))
	templates := []template{}
	for _, source := range asked.Sources {
		directory := filepath.Join(folderOf(source.Module), source.Directory)
		for _, entry := range must(os.ReadDir(directory)) {
			text, is, err := read(filepath.Join(directory, entry.Name()))
			if err != nil {
				panic(err)
			}
			if is {
				templates = append(templates, must(asked.substitute(source.Name+entry.Name(), text, cni)))
			}
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(templates); err != nil {
		panic(err)
	}
}
