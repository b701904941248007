// Reads Ignition configs, a JSON object of documents by name, from standard input and writes for each the errors and
// warnings of Ignition's parser, and the contents of the files in the document.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	old "github.com/coreos/ignition/config/v2_3"
	"github.com/coreos/ignition/v2/config/v3_0"
	"github.com/coreos/ignition/v2/config/v3_1"
	"github.com/coreos/ignition/v2/config/v3_2"
	"github.com/coreos/ignition/v2/config/v3_3"
	"github.com/coreos/ignition/v2/config/v3_4"
	"github.com/coreos/vcontext/report"
)

type finding struct {
	Said  string            `json:"said"`
	Files map[string]string `json:"files"`
}

func look(document []byte) finding {
	files, err := contents(document)
	if err != nil {
		return finding{Said: err.Error()}
	}
	return finding{Said: parse(document), Files: files}
}

// The report on a document from the parser of exactly the version that it names, which accepts no other version.
func parse(document []byte) string {
	version, err := versionOf(document)
	if err != nil {
		return err.Error()
	}
	if version == "2.3.0" {
		_, said, err := old.Parse(document)
		return sayings(said.String(), err)
	}
	said, err := parse3(version, document)
	return sayings(said.String(), err)
}

func parse3(version string, document []byte) (said report.Report, err error) {
	switch version {
	case "3.0.0":
		_, said, err = v3_0.Parse(document)
	case "3.1.0":
		_, said, err = v3_1.Parse(document)
	case "3.2.0":
		_, said, err = v3_2.Parse(document)
	case "3.3.0":
		_, said, err = v3_3.Parse(document)
	case "3.4.0":
		_, said, err = v3_4.Parse(document)
	default:
		err = fmt.Errorf("version %q is not one of those that are checked", version)
	}
	return said, err
}

func sayings(said string, err error) string {
	if err != nil {
		return said + err.Error()
	}
	return said
}

func main() {
	var documents map[string]string
	if err := json.NewDecoder(os.Stdin).Decode(&documents); err != nil {
		fmt.Fprintln(os.Stderr, "standard input cannot be read:", err)
		os.Exit(2)
	}
	findings := make(map[string]finding, len(documents))
	for name, document := range documents {
		findings[name] = look([]byte(document))
	}
	if err := json.NewEncoder(os.Stdout).Encode(findings); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}
