package main

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"

	"github.com/vincent-petithory/dataurl"
)

type resource struct {
	Source      string `json:"source"`
	Compression string `json:"compression"`
}

type config struct {
	Ignition struct {
		Version string `json:"version"`
	} `json:"ignition"`
	Storage struct {
		Files []struct {
			Path     string   `json:"path"`
			Contents resource `json:"contents"`
		} `json:"files"`
	} `json:"storage"`
}

func versionOf(document []byte) (string, error) {
	var read config
	err := json.Unmarshal(document, &read)
	return read.Ignition.Version, err
}

// The file contents in the document itself, by path and in base64, decompressed by the library that Ignition uses.
func contents(document []byte) (map[string]string, error) {
	var read config
	if err := json.Unmarshal(document, &read); err != nil {
		return nil, err
	}
	found := map[string]string{}
	for _, file := range read.Storage.Files {
		if !bytes.HasPrefix([]byte(file.Contents.Source), []byte("data:")) {
			continue
		}
		data, err := unpack(file.Contents)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file.Path, err)
		}
		found[file.Path] = base64.StdEncoding.EncodeToString(data)
	}
	return found, nil
}

func unpack(from resource) ([]byte, error) {
	url, err := dataurl.DecodeString(from.Source)
	if err != nil || from.Compression != "gzip" {
		return url.Data, err
	}
	reader, err := gzip.NewReader(bytes.NewReader(url.Data))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(reader)
}
