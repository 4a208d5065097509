// Renders a Helm chart to standard output, as `helm template` does: Go's own templates with the functions of sprig. A
// value that does not exist is an error, as for `helm lint --strict`.
//
//	render-chart CHART RELEASE < VALUES
//
// VALUES is a YAML document that is laid over values.yaml; null removes a key.
package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

type values = map[string]interface{}

func main() {
	folder, release := os.Args[1], os.Args[2]
	given, err := io.ReadAll(os.Stdin)
	check(err)
	chart, err := os.ReadFile(filepath.Join(folder, "Chart.yaml"))
	check(err)
	defaults, err := os.ReadFile(filepath.Join(folder, "values.yaml"))
	check(err)
	about := parse(chart)
	data := values{
		"Values":  laidOver(parse(defaults), parse(given)),
		"Release": values{"Name": release, "Namespace": "default", "Service": "Helm"},
		"Chart":   values{"Name": about["name"], "Version": about["version"], "AppVersion": about["appVersion"]},
	}
	files, err := filepath.Glob(filepath.Join(folder, "templates", "*.yaml"))
	check(err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		check(err)
		parsed, err := template.New(filepath.Base(file)).Option("missingkey=error").Funcs(sprig.TxtFuncMap()).Parse(string(text))
		check(err)
		var out bytes.Buffer
		check(parsed.Execute(&out, data))
		fmt.Printf("---\n%s\n", out.String())
	}
}

func parse(text []byte) values {
	parsed := values{}
	check(yaml.Unmarshal(text, &parsed))
	return parsed
}

func laidOver(below, above values) values {
	for name, value := range above {
		under, isMap := below[name].(values)
		over, isMapToo := value.(values)
		if value == nil {
			delete(below, name)
		} else if isMap && isMapToo {
			below[name] = laidOver(under, over)
		} else {
			below[name] = value
		}
	}
	return below
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
